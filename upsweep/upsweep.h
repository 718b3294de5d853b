// All of Upsweep in one header: plans, and the recorder that turns them into commands.
#pragma once

#include "upsweep/allocate/allocate.h"
#include "upsweep/compact/compact.h"
#include "upsweep/compact/flags.h"
#include "upsweep/core/operators.h"
#include "upsweep/core/plan.h"
#include "upsweep/core/result.h"
#include "upsweep/core/tuning.h"
#include "upsweep/core/types.h"
#include "upsweep/record/context.h"
#include "upsweep/record/gpu.h"
#include "upsweep/record/job.h"
#include "upsweep/reduce/reduce.h"
#include "upsweep/scan/scan.h"
