// Sends attack vectors through the SVG validator, and opens the accepted ones in Chromium, as a visitor who moves the mouse, clicks, and
// presses Tab and Enter: as a document with and without our headers, inlined in a page, and in pages of many as `<img>` and as a
// background. Nothing may run, and nothing may be requested.
// As a control, rejected vectors are opened too, unchanged: many of those must fire.
// By hand: npm run compile && node test/long/svg-vectors.js
import { createServer } from 'node:http';
import process from 'node:process';
import { chromium } from 'playwright-core';
import { Diagnostics } from '../../lib/diagnostics/diagnostic.js';
import { checkSvgFile, withoutMetadata } from '../../lib/image/svg/file.js';
import { edgeRules } from '../../lib/hosts/contract.js';
import { validateSite } from '../../lib/theme/site.js';
import { vectors } from './svg-vector-list.js';

/** The share of rejected vectors that are opened unchanged: one in this many. */
const RAW_SAMPLE = 16;
const CHROMIUM = '/usr/bin/chromium';
/** Number of vectors that a page shows as images. */
const IMAGES = 50;
const FLAGS = ['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--disable-component-update'];

/**
 * Returns the published bytes of a vector, or nothing if it is rejected.
 * @param {Buffer} bytes
 */
function published(bytes) {
  const checked = checkSvgFile({ file: 'a.svg', bytes }, () => undefined);
  return checked?.isAccepted === true ? withoutMetadata(bytes, checked) : undefined;
}

const all = vectors();
const accepted = all.filter(({ bytes }) => published(bytes) !== undefined);
const rejected = all.filter((vector) => !accepted.includes(vector));
const raw = rejected.filter((_, index) => index % RAW_SAMPLE === 0);

const site = validateSite(undefined, undefined, 'https://themes.example.org', new Diagnostics().report);
const { headers } = edgeRules(site, [], '');
const ours = { ...headers.all, ...headers.svg };

const HTML = { 'Content-Type': 'text/html; charset=utf-8' };
/** Served files by path; any other request is one that no image may send. */
/** @type {Map<string, { bytes: Buffer, headers: Record<string, string> }>} */
const served = new Map();
for (const [index, { bytes }] of all.entries()) {
  // As in the checkout, and as published.
  served.set(`/bare/${index}.svg`, { bytes, headers: {} });
  const bytesThere = published(bytes) ?? bytes;
  served.set(`/ours/${index}.svg`, { bytes: bytesThere, headers: ours });
  const text = bytesThere.toString().replace(/^\ufeff/, '');
  served.set(`/inlined/${index}.svg`, { bytes: Buffer.from(`<!doctype html><body>${text}`), headers: HTML });
}
const pages = Array.from({ length: Math.ceil(accepted.length / IMAGES) }, (_, page) => {
  const urls = accepted.slice(page * IMAGES, (page + 1) * IMAGES).map((one) => `/ours/${all.indexOf(one)}.svg`);
  const images = urls.map((url) => `<img src="${url}"><i style="background:url(${url})">a</i>`);
  served.set(`/images/${page}.svg`, { bytes: Buffer.from(`<!doctype html><body>${images.join('')}`), headers: HTML });
  return { urls: new Set(urls), page };
});
/** @type {string[]} */
let requested = [];
const server = createServer((request, response) => {
  const file = served.get(request.url ?? '');
  if (file === undefined) {
    if (request.url !== '/favicon.ico') requested.push(request.url ?? '');
    response.writeHead(404).end();
  } else response.writeHead(200, { 'Content-Type': 'image/svg+xml', ...file.headers }).end(file.bytes);
});
await new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(undefined)));
const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
const browser = await chromium.launch({ executablePath: CHROMIUM, args: FLAGS });

/**
 * Opens a file and acts as a visitor.
 * @param {string} file
 * @param {ReadonlySet<string>} [expected] what it may request
 */
async function visit(file, expected = new Set()) {
  requested = [];
  let fired = false;
  const context = await browser.newContext({ viewport: { width: 400, height: 400 } });
  const page = await context.newPage();
  page.setDefaultTimeout(5000);
  /** @type {string[]} */
  const sent = [];
  const url = `http://127.0.0.1:${port}${file}`;
  context.on('dialog', (dialog) => {
    fired = true;
    dialog.dismiss().catch(() => undefined);
  });
  context.on('request', (request) => {
    const target = request.url();
    const isExpected = target === url || target.endsWith('/favicon.ico') || expected.has(new URL(target).pathname);
    if (!isExpected) sent.push(target);
  });
  try {
    await page.goto(url);
    await page.mouse.move(100, 100);
    await page.mouse.move(120, 130);
    await page.mouse.click(120, 130);
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.waitForTimeout(100); // for actions that start with the next frame
  } catch {
    // Pages that are no XML, or have navigated away: earlier events are still evaluated.
  }
  await context.close();
  return { fired, requests: [...new Set([...sent, ...requested])] };
}

const tally = { bare: 0, ours: 0, inlined: 0, images: 0, requests: 0, raw: 0, rawRequests: 0, rawInlined: 0 };
for (const vector of accepted) {
  for (const folder of /** @type {const} */ (['bare', 'ours', 'inlined'])) {
    const { fired, requests } = await visit(`/${folder}/${all.indexOf(vector)}.svg`);
    if (fired) tally[folder]++;
    tally.requests += requests.length;
    if (fired || requests.length > 0)
      process.stdout.write(
        `${folder} ${vector.name}: fired ${fired}, requested ${requests.join(' ')}\n  ${vector.bytes.toString()}\n`,
      );
  }
}
for (const { urls, page } of pages) {
  const { fired, requests } = await visit(`/images/${page}.svg`, urls);
  if (fired) tally.images++;
  tally.requests += requests.length;
  if (fired || requests.length > 0)
    process.stdout.write(`images ${page}: fired ${fired}, requested ${requests.join(' ')}\n`);
}
for (const vector of raw) {
  const { fired, requests } = await visit(`/bare/${all.indexOf(vector)}.svg`);
  if (fired) tally.raw++;
  if (requests.length > 0) tally.rawRequests++;
  if ((await visit(`/inlined/${all.indexOf(vector)}.svg`)).fired) tally.rawInlined++;
}
await browser.close();
server.closeAllConnections();
server.close();
process.stdout.write(`accepted: ${accepted.map(({ name }) => name).join(', ')}\n`);
process.stdout.write(
  `stress svg-vectors: ${all.length} vectors, ${accepted.length} accepted; of these fired with headers ${tally.ours}, without ${tally.bare}, inlined ${tally.inlined}, as <img> and in CSS ${tally.images}, requests ${tally.requests}; of ${raw.length} rejected ones opened raw, ${tally.raw} fired, ${tally.rawInlined} inlined, and ${tally.rawRequests} sent requests\n`,
);
const isHarmless = tally.bare + tally.ours + tally.inlined + tally.images + tally.requests === 0;
const isControlled = [tally.raw, tally.rawRequests, tally.rawInlined].every((count) => count > 0);
process.exitCode = isHarmless && all.length >= 2800 && isControlled ? 0 : 1;
