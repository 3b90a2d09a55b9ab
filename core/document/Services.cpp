#include "core/document/Services.h"

#include "core/io/export/AnimationExport.h"
#include "core/io/import/ModelImport.h"
#include "core/solve/Baker.h"

namespace tendon {

Services fileServices() { return {importModel, exportAnimation, bake, {}, nullptr}; }

} // namespace tendon
