// Detects whether this process grows: its memory after garbage collection, and its open files.
import { readdirSync } from 'node:fs';
import process from 'node:process';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

// Garbage is no growth.
setFlagsFromString('--expose-gc');
const collectGarbage = /** @type {() => void} */ (runInNewContext('gc'));

/** The round of the first measurement, when caches and compiled code have settled. */
const FIRST_ROUND = 100;
/** Rounds between later measurements. */
const INTERVAL = 50;
const MAX_GROWTH = 1.1;

/** Measures the growth over all rounds. */
export function watchGrowth() {
  const now = () => {
    collectGarbage();
    return { rss: process.memoryUsage().rss, files: readdirSync('/proc/self/fd').length };
  };
  let before = { rss: 1, files: 0 };
  const peak = { rss: 0, files: 0 };
  return {
    /** @param {number} round - from 1 */
    measure(round) {
      if (round === FIRST_ROUND) before = now();
      if (round <= FIRST_ROUND || round % INTERVAL !== 0) return;
      const { rss, files } = now();
      peak.rss = Math.max(peak.rss, rss);
      peak.files = Math.max(peak.files, files);
    },
    /** @param {number} spare - additional files that may be open */
    result(spare) {
      const growth = peak.rss / before.rss;
      return {
        isFine: growth <= MAX_GROWTH && peak.files <= before.files + spare,
        text: `memory × ${growth.toFixed(2)} since round ${FIRST_ROUND}, open files ${before.files} then ${peak.files}`,
      };
    },
  };
}
