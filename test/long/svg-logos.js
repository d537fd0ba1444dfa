// `node test/long/svg-logos.js [FOLDER …]`: checks SVGs that designers publish; at least 99.5 % must be accepted. Uses the sets
// among the dependencies, and all SVGs in the given folders, for example a checkout of a collection of logos. Prints rejected
// files and the reasons.
import path from 'node:path';
import process from 'node:process';
import { Diagnostics } from '../../lib/diagnostics/diagnostic.js';
import { sniffFormat } from '../../lib/image/format.js';
import { checkSvgFile } from '../../lib/image/svg/file.js';
import { OWN_SETS, svgSet, svgsIn } from './svg-sets.js';

const GOAL = 0.995;
const REASONS_SHOWN = 15;

/** @type {Map<string, number>} files by reason */
const reasons = new Map();
let [sets, all, accepted, warned, slowest] = [0, 0, 0, 0, 0];

/**
 * Returns the reason why a file is rejected.
 * @param {{ name: string, bytes: Buffer }} file
 * @param {Diagnostics} diagnostics
 * @returns {string | undefined}
 */
function rejectionOf({ name, bytes }, diagnostics) {
  if (JSON.stringify(sniffFormat(bytes)) !== '{"format":"svg"}') return 'is no SVG by its first bytes';
  if (checkSvgFile({ file: name, bytes }, diagnostics.report)?.isAccepted === true) return undefined;
  const { code, message } = diagnostics.sorted.find(({ severity }) => severity === 'error') ?? {};
  return `${message} [${code}]`;
}

/**
 * @param {string} set
 * @param {Iterable<{ name: string, bytes: Buffer }>} files
 */
function measure(set, files) {
  const [allBefore, acceptedBefore, warnedBefore] = [all, accepted, warned];
  for (const file of files) {
    all++;
    const diagnostics = new Diagnostics();
    const before = performance.now();
    const reason = rejectionOf(file, diagnostics);
    slowest = Math.max(slowest, performance.now() - before);
    if (reason === undefined) {
      accepted++;
      if (diagnostics.sorted.length > 0) warned++;
      continue;
    }
    const kind = reason.replaceAll(/\d[\d,.]*/g, 'N');
    reasons.set(kind, (reasons.get(kind) ?? 0) + 1);
    process.stdout.write(`  ${set}/${file.name}: ${reason}\n`);
  }
  sets++;
  const [inSet, good] = [all - allBefore, accepted - acceptedBefore];
  process.stdout.write(
    `${set.padEnd(34)} ${good} of ${inSet} accepted (${((good / inSet) * 100).toFixed(2)} %), ${warned - warnedBefore} with a warning\n`,
  );
}

for (const name of OWN_SETS) measure(name, svgSet(name));
for (const folder of process.argv.slice(2)) measure(path.basename(path.resolve(folder)), svgsIn(folder));

process.stdout.write('reasons, by files:\n');
for (const [reason, files] of [...reasons].toSorted(([, a], [, b]) => b - a).slice(0, REASONS_SHOWN))
  process.stdout.write(`${String(files).padStart(6)} ${reason}\n`);
const share = accepted / all;
process.stdout.write(
  `stress svg-logos: ${sets} sets, ${accepted} of ${all} SVGs accepted (${(share * 100).toFixed(2)} %), ${warned} with a warning, slowest ${slowest.toFixed(0)} ms\n`,
);
process.exitCode = share >= GOAL ? 0 : 1;
