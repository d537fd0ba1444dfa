import { describe, expect, it } from 'vitest';
import { shardOf } from '../../../src/command-line/shard.ts';

describe('--shard', () => {
  it.each([
    ['1/1', { index: 1, total: 1 }],
    ['3/8', { index: 3, total: 8 }],
    ['8/8', { index: 8, total: 8 }],
  ])('%s', (text, shard) => {
    expect(shardOf(text, { CI_NODE_INDEX: '2', CI_NODE_TOTAL: '2' })).toEqual(shard);
  });

  it.each([...'0/8 9/8 0/0 1.5/2 -1/2 +1/2 1/2/3 3 3/ /8 x AUTO auto/ 1/20000'.split(' '), ' 1/2'])(
    'rejects %j',
    (text) => {
      expect(() => shardOf(text, {})).toThrow(
        `--shard must be I/N with I from 1 to N (at most 10000), such as 3/8, or auto, or auto/N, not \`${text}\`.`,
      );
    },
  );

  const slurm = (id: string, min: string, step: string, count: string): Record<string, string> => ({
    SLURM_ARRAY_TASK_ID: id,
    SLURM_ARRAY_TASK_MIN: min,
    SLURM_ARRAY_TASK_STEP: step,
    SLURM_ARRAY_TASK_COUNT: count,
  });

  it.each<[string, string, Record<string, string>, object]>([
    ['GitLab', 'auto', { CI_NODE_INDEX: '3', CI_NODE_TOTAL: '8' }, { index: 3, total: 8, from: 'CI_NODE_INDEX' }],
    ['Kubernetes', 'auto/8', { JOB_COMPLETION_INDEX: '0' }, { index: 1, total: 8, from: 'JOB_COMPLETION_INDEX' }],
    [
      'AWS Batch',
      'auto',
      { AWS_BATCH_JOB_ARRAY_INDEX: '7', AWS_BATCH_JOB_ARRAY_SIZE: '8' },
      { index: 8, total: 8, from: 'AWS_BATCH_JOB_ARRAY_INDEX' },
    ],
    ['Slurm', 'auto', slurm('1', '1', '1', '8'), { index: 1, total: 8, from: 'SLURM_ARRAY_TASK_ID' }],
    ['Slurm from 0', 'auto/8', slurm('7', '0', '1', '8'), { index: 8, total: 8, from: 'SLURM_ARRAY_TASK_ID' }],
    ['Slurm in steps', 'auto', slurm('9', '1', '4', '3'), { index: 3, total: 3, from: 'SLURM_ARRAY_TASK_ID' }],
    [
      'Buildkite',
      'auto',
      { BUILDKITE_PARALLEL_JOB: '2', BUILDKITE_PARALLEL_JOB_COUNT: '4' },
      { index: 3, total: 4, from: 'BUILDKITE_PARALLEL_JOB' },
    ],
    [
      'CircleCI',
      'auto',
      { CIRCLE_NODE_INDEX: '0', CIRCLE_NODE_TOTAL: '1' },
      { index: 1, total: 1, from: 'CIRCLE_NODE_INDEX' },
    ],
  ])('auto, as numbered by %s', (_, text, environment, shard) => {
    expect(shardOf(text, environment)).toEqual(shard);
  });

  it.each<[string, string, Record<string, string>, string]>([
    ['no engine', 'auto', { CI_NODE_TOTAL: '1', CI_NODE_INDEX: '' }, '--shard auto finds no number of a parallel job'],
    [
      'two engines',
      'auto',
      { CI_NODE_INDEX: '1', CI_NODE_TOTAL: '2', ...slurm('1', '1', '1', '2') },
      'CI_NODE_INDEX and SLURM_ARRAY_TASK_ID are both set. Give the shard as `--shard I/N`.',
    ],
    [
      'no total',
      'auto',
      { JOB_COMPLETION_INDEX: '1' },
      'JOB_COMPLETION_INDEX is set, but not the number of jobs. Give it as `--shard auto/N`.',
    ],
    [
      'another total',
      'auto/8',
      { CI_NODE_INDEX: '1', CI_NODE_TOTAL: '4' },
      '--shard auto/8 does not fit CI_NODE_TOTAL, which is 4. Give the shard as `--shard I/N`.',
    ],
    ['a total of 0', 'auto/0', { JOB_COMPLETION_INDEX: '0' }, '--shard must be I/N'],
    [
      'an index from 0',
      'auto',
      { CI_NODE_INDEX: '0', CI_NODE_TOTAL: '2' },
      'CI_NODE_INDEX is 0, which is not one of 2 jobs numbered from 1.',
    ],
    [
      'an index too large',
      'auto/8',
      { JOB_COMPLETION_INDEX: '8' },
      'JOB_COMPLETION_INDEX is 8, which is not one of 8 jobs numbered from 0.',
    ],
    ['no number', 'auto', { CI_NODE_INDEX: '1', CI_NODE_TOTAL: '2x' }, 'CI_NODE_TOTAL must be a number, not `2x`.'],
    ['a missing number', 'auto', { CI_NODE_INDEX: '1' }, 'CI_NODE_TOTAL is not set.'],
    [
      'a Slurm array off its steps',
      'auto',
      slurm('6', '1', '4', '3'),
      'SLURM_ARRAY_TASK_ID is 6, which is not one of 3 jobs numbered from 1 in steps of 4.',
    ],
    [
      'a Slurm array with a gap',
      'auto',
      slurm('7', '1', '1', '3'),
      'SLURM_ARRAY_TASK_ID is 7, which is not one of 3 jobs',
    ],
    ['steps of 0', 'auto', slurm('1', '1', '0', '3'), 'SLURM_ARRAY_TASK_ID is 1, which is not one of 3 jobs'],
  ])('auto, rejected with %s', (_, text, environment, message) => {
    expect(() => shardOf(text, environment)).toThrow(message);
  });
});
