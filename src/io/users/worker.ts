import { parentPort, workerData } from 'node:worker_threads';
import type { ScanOptions } from '../../users/row-scanner.ts';
import type { Spill } from './spill.ts';
import { type ScanTask, type SettleTask, UsersWork } from './tasks.ts';

/** What the main thread asks for. */
export type Call = { scan: ScanTask } | { settle: SettleTask } | { finish: true };

/** What a thread is started with. */
export interface ThreadData {
  options: ScanOptions;
  spill: Pick<Spill, 'fd' | 'length'>;
}

const { options, spill } = workerData as ThreadData;
const work = new UsersWork(options, spill);

parentPort?.on('message', (call: Call) => {
  const result = 'scan' in call ? work.scan(call.scan) : 'settle' in call ? work.settle(call.settle) : work.finish();
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- that is of windows, this is a thread
  parentPort?.postMessage(result);
});
