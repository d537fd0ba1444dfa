import type { Shard } from '../image/render-plan.ts';
import { UsageError } from './command.ts';

/** A shard, and the environment variable that gave its number. */
export interface ChosenShard extends Shard {
  from?: string;
}

type Environment = Readonly<Record<string, string | undefined>>;

/** The environment variables by which an engine numbers the jobs that it runs in parallel. */
interface Engine {
  index: string;
  total?: string;
  /** The number of the first job, or the variable with it. */
  first: number | string;
  /** The variable with the distance between two numbers. */
  step?: string;
}

/**
 * @see https://docs.gitlab.com/ci/variables/predefined_variables/
 * @see https://kubernetes.io/docs/concepts/workloads/controllers/job/#completion-mode
 * @see https://docs.aws.amazon.com/batch/latest/userguide/job_env_vars.html
 * @see https://slurm.schedmd.com/job_array.html#env_vars
 * @see https://buildkite.com/docs/pipelines/configure/environment-variables
 * @see https://circleci.com/docs/reference/variables/
 */
const ENGINES: readonly Engine[] = [
  { index: 'CI_NODE_INDEX', total: 'CI_NODE_TOTAL', first: 1 },
  { index: 'JOB_COMPLETION_INDEX', first: 0 },
  { index: 'AWS_BATCH_JOB_ARRAY_INDEX', total: 'AWS_BATCH_JOB_ARRAY_SIZE', first: 0 },
  {
    index: 'SLURM_ARRAY_TASK_ID',
    total: 'SLURM_ARRAY_TASK_COUNT',
    first: 'SLURM_ARRAY_TASK_MIN',
    step: 'SLURM_ARRAY_TASK_STEP',
  },
  { index: 'BUILDKITE_PARALLEL_JOB', total: 'BUILDKITE_PARALLEL_JOB_COUNT', first: 0 },
  { index: 'CIRCLE_NODE_INDEX', total: 'CIRCLE_NODE_TOTAL', first: 0 },
];

const MAX_SHARDS = 10_000;

/** Reads the value of `--shard`: `I/N` with I from 1 to N, `auto`, or `auto/N`. */
export function shardOf(text: string, environment: Environment): ChosenShard {
  const auto = /^auto(?:\/([1-9]\d*))?$/.exec(text);
  if (auto !== null) return shardOfEngine(auto[1] === undefined ? undefined : Number(auto[1]), environment);
  const [, index, total] = /^(\d+)\/(\d+)$/.exec(text) ?? [];
  const shard = { index: Number(index), total: Number(total) };
  if (isShard(shard)) return shard;
  throw new UsageError(
    `--shard must be I/N with I from 1 to N (at most ${MAX_SHARDS}), such as 3/8, or auto, or auto/N, not \`${text}\`.`,
  );
}

function isShard({ index, total }: Shard): boolean {
  return Number.isInteger(index) && index >= 1 && index <= total && total <= MAX_SHARDS;
}

function shardOfEngine(given: number | undefined, environment: Environment): ChosenShard {
  const set = ENGINES.filter(({ index }) => environment[index]);
  const names = set.map(({ index }) => index).join(' and ');
  if (set.length > 1) throw new UsageError(`${names} are both set. Give the shard as \`--shard I/N\`.`);
  const [engine] = set;
  if (engine === undefined)
    throw new UsageError(
      `--shard auto finds no number of a parallel job in the environment (${ENGINES.map(({ index }) => index).join(', ')}). Give the shard as \`--shard I/N\`.`,
    );
  const total = totalOf(engine, given, environment);
  const first = typeof engine.first === 'number' ? engine.first : numberIn(engine.first, environment);
  const step = engine.step === undefined ? 1 : numberIn(engine.step, environment);
  const index = (numberIn(engine.index, environment) - first) / step + 1;
  if (!isShard({ index, total }))
    throw new UsageError(
      `${engine.index} is ${environment[engine.index]}, which is not one of ${total} jobs numbered from ${first}${step === 1 ? '' : ` in steps of ${step}`}. Give the shard as \`--shard I/N\`.`,
    );
  return { index, total, from: engine.index };
}

function totalOf({ index, total }: Engine, given: number | undefined, environment: Environment): number {
  if (total === undefined && given === undefined)
    throw new UsageError(`${index} is set, but not the number of jobs. Give it as \`--shard auto/N\`.`);
  const found = total === undefined ? given : numberIn(total, environment);
  if (given !== undefined && found !== given)
    throw new UsageError(
      `--shard auto/${given} does not fit ${total}, which is ${found}. Give the shard as \`--shard I/N\`.`,
    );
  return Number(found);
}

function numberIn(name: string, environment: Environment): number {
  const text = environment[name];
  if (text === undefined || text === '') throw new UsageError(`${name} is not set. Give the shard as \`--shard I/N\`.`);
  if (!/^\d{1,9}$/.test(text))
    throw new UsageError(`${name} must be a number, not \`${text}\`. Give the shard as \`--shard I/N\`.`);
  return Number(text);
}
