import { expect, it } from 'vitest';
import { checkSvgFile, withoutMetadata } from '../src/core/image/svg/file.ts';
import { describeInChromium, launch } from './browser/chromium.ts';
import { listening } from './listening.ts';
import { vectors } from './long/svg-vector-list.js';
import { isLong } from './long-test.ts';

const accepted = vectors().flatMap(({ name, bytes }) => {
  const checked = checkSvgFile({ file: 'a.svg', bytes }, () => undefined);
  return checked?.isAccepted === true ? [{ name, bytes, published: withoutMetadata(bytes, checked) }] : [];
});

it('rejects attacks through SVG, except for those that do nothing in a browser', () => {
  const counts: Record<string, number> = {};
  for (const { name } of accepted) {
    const [kind = ''] = name.split(' ');
    counts[kind] = (counts[kind] ?? 0) + 1;
  }
  // Change these numbers only once the test in Chromium passes.
  expect(counts).toEqual({ css: 14, inlined: 6, encoding: 3, harmless: 21 });
});

if (isLong)
  describeInChromium('attacks through SVG that are accepted', () => {
    it(
      'do nothing as a document, inlined in a page, as an image and as a background',
      { timeout: 300_000 },
      async () => {
        const page = (body: string): [string, string] => ['text/html; charset=utf-8', `<!doctype html><body>${body}`];
        const attack = '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>';
        const files = new Map<string, [type: string, body: string | Buffer]>([['/attack', ['image/svg+xml', attack]]]);
        for (const [at, { bytes, published }] of accepted.entries()) {
          files.set(`/authored/${at}`, ['image/svg+xml', bytes]);
          files.set(`/published/${at}`, ['image/svg+xml', published]);
          files.set(`/inlined/${at}`, page(published.toString().replace(/^\ufeff/, '')));
        }
        const images = accepted.map(
          (_, at) => `<img src="/published/${at}"><i style="background:url(/published/${at})">a</i>`,
        );
        files.set('/images', page(images.join('')));
        const unexpected: string[] = [];
        const server = await listening(({ url = '' }, response) => {
          const [type, body] = files.get(url) ?? [];
          if (type !== undefined) return void response.setHeader('Content-Type', type).end(body);
          if (url !== '/favicon.ico') unexpected.push(url);
          response.writeHead(404).end();
        });
        const browser = await launch();
        /** Opens a file as a visitor who moves the mouse, clicks, and presses Tab and Enter. @returns the actions of the file */
        const visit = async (file: string): Promise<string[]> => {
          unexpected.length = 0;
          const actions: string[] = [];
          const context = await browser.newContext({ viewport: { width: 400, height: 400 } });
          context.on('dialog', (dialog) => {
            actions.push(`fires ${file}`);
            dialog.dismiss().catch(() => undefined);
          });
          context.on('request', (request) => {
            const { origin, pathname } = new URL(request.url());
            if (origin !== server.url) actions.push(`requests ${request.url()}`);
            else if (!file.endsWith('images') && ![file, '/favicon.ico'].includes(pathname)) actions.push(pathname);
          });
          const visited = await context.newPage();
          try {
            await visited.goto(server.url + file);
            await visited.mouse.move(100, 100);
            await visited.mouse.click(120, 130);
            await visited.keyboard.press('Tab');
            await visited.keyboard.press('Enter');
            await visited.waitForTimeout(100); // for actions that start in the next frame
          } catch {
            // Malformed XML does not load; earlier events are still evaluated.
          }
          await context.close();
          return [...actions, ...unexpected];
        };
        try {
          expect(await visit('/attack')).toEqual(['fires /attack']);
          for (const file of files.keys())
            if (file !== '/attack') expect([file, await visit(file)]).toEqual([file, []]);
        } finally {
          await browser.close();
          await server.stop();
        }
      },
    );
  });
