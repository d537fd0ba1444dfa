// Whether this process grows: its memory without garbage, and its open files.
import { readdirSync } from 'node:fs';
import process from 'node:process';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

// What is garbage is not memory that grew.
setFlagsFromString('--expose-gc');
const collectGarbage = /** @type {() => void} */ (runInNewContext('gc'));

/** Rounds after which it is looked at first: caches and compiled code have settled. */
const WARM = 100;
/** Rounds between two looks after that. */
const EVERY = 50;
const MOST_GROWTH = 1.1;

/** Watches it, round by round. */
export function watchGrowth() {
  const now = () => {
    collectGarbage();
    return { rss: process.memoryUsage().rss, files: readdirSync('/proc/self/fd').length };
  };
  let before = { rss: 1, files: 0 };
  const most = { rss: 0, files: 0 };
  return {
    /** @param {number} round - from 1 */
    look(round) {
      if (round === WARM) before = now();
      if (round <= WARM || round % EVERY !== 0) return;
      const { rss, files } = now();
      most.rss = Math.max(most.rss, rss);
      most.files = Math.max(most.files, files);
    },
    /** @param {number} spare - files that may be open beyond those of before */
    result(spare) {
      const growth = most.rss / before.rss;
      return {
        isFine: growth <= MOST_GROWTH && most.files <= before.files + spare,
        text: `memory × ${growth.toFixed(2)} since round ${WARM}, open files ${before.files} then ${most.files}`,
      };
    },
  };
}
