// Checks every brand logo of gilbarbara/logos and Simple Icons: at least 99 % must be accepted.
// Prints what is refused, and why. By hand: npm run compile && node scripts/torture/svg-logos.js
import process from 'node:process';
import { logos } from './logos.js';
import { Diagnostics } from '../../lib/diagnostics/diagnostic.js';
import { checkSvg } from '../../lib/image/svg/check.js';

let [all, accepted, slowest] = [0, 0, 0];
for (const { name, svg } of logos()) {
  all++;
  const diagnostics = new Diagnostics();
  const before = performance.now();
  const passes = checkSvg(`${name}.svg`, svg, diagnostics.report);
  slowest = Math.max(slowest, performance.now() - before);
  if (passes) accepted++;
  for (const { code, message, location } of diagnostics.sorted)
    process.stdout.write(`${name}.svg:${location.start?.line}:${location.start?.column} ${message} [${code}]\n`);
}
const share = accepted / all;
process.stdout.write(
  `torture svg-logos: ${accepted} of ${all} accepted (${(share * 100).toFixed(2)} %), slowest ${slowest.toFixed(0)} ms\n`,
);
process.exitCode = share >= 0.99 ? 0 : 1;
