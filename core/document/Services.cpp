#include "core/document/Services.h"

#include "core/io/import/ModelImport.h"
#include "core/solve/Baker.h"

namespace tendon {

Services fileServices() { return {.import = importModel, .bake = bake}; }

} // namespace tendon
