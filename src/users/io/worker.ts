import { parentPort, workerData } from 'node:worker_threads';
import type { ScanOptions } from '../scan.ts';
import { type ScanTask, type DedupeTask, UsersWork } from '../tasks.ts';
import { Spill } from './spill.ts';

export type Call = { scan: ScanTask } | { dedupe: DedupeTask } | { finish: true };

export interface ThreadData {
  options: ScanOptions;
  spill: Pick<Spill, 'fd' | 'length'>;
}

const { options, spill } = workerData as ThreadData;
const work = new UsersWork(options, Spill.shared(spill));

parentPort?.on('message', (call: Call) => {
  const result = 'scan' in call ? work.scan(call.scan) : 'dedupe' in call ? work.dedupe(call.dedupe) : work.finish();
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- the rule is about windows, this is a thread
  parentPort?.postMessage(result);
});
