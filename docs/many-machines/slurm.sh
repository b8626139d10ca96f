#!/usr/bin/env bash
# Tests as a Slurm array job. All nodes must see this folder, which is the game's.
#
#   mkdir -p parts
#   job=$(sbatch --parsable docs/many-machines/slurm.sh)
#   sbatch --dependency=afterany:$job --wrap 'hangtime merge parts/*.jsonl'
#
# To run part 7 alone again: sbatch --array=7 --export=ALL,PARTS=16 docs/many-machines/slurm.sh
#SBATCH --job-name=hangtime
#SBATCH --array=1-16
#SBATCH --cpus-per-task=1
#SBATCH --time=00:30:00
#SBATCH --output=parts/%a.log
set -uo pipefail
mkdir -p parts

# If only some parts run again, the array has another size, so the number of parts has to be passed.
parts=${PARTS:-$SLURM_ARRAY_TASK_COUNT}
hangtime test --partition "slice:$SLURM_ARRAY_TASK_ID/$parts" --results "parts/$SLURM_ARRAY_TASK_ID.jsonl"
code=$?
# Failed tests are in the results. The job itself did its work.
[ "$code" = 100 ] || exit "$code"
