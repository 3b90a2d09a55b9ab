#include "core/document/Services.h"

#include "core/io/import/ModelImport.h"
#include "core/solve/Baker.h"

namespace tendon {

Services fileServices()
{
    Services services;
    services.import = importModel;
    services.bake = bake;
    return services;
}

} // namespace tendon
