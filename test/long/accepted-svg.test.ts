import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { checkSvgFile, withoutMetadata } from '../../src/core/image/svg/file.ts';
import { describeInChromium, launch } from '../browser/chromium.ts';
import { listening } from '../listening.ts';

/** The files of the texts that are accepted, many of which look like attacks: a call of `alert`, or a request to `/sent/`. */
const accepted = ['accepted', 'warned'].flatMap((name) => {
  const text = readFileSync(path.join(import.meta.dirname, `../texts/svgfile-${name}.txt`), 'utf8');
  return [...text.matchAll(/^> (.*)$/gm)].map(([, line = '']) =>
    Buffer.from(JSON.parse(`"${line.replaceAll('"', '\\"')}"`) as string),
  );
});

describeInChromium('an accepted SVG', () => {
  it(
    'does nothing as a document, inlined in a page, as an image and as a background',
    { timeout: 300_000 },
    async () => {
      const page = (body: string): [string, string] => ['text/html; charset=utf-8', `<!doctype html><body>${body}`];
      const attack = '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>';
      const files = new Map<string, [type: string, body: string | Buffer]>([['/attack', ['image/svg+xml', attack]]]);
      for (const [at, bytes] of accepted.entries()) {
        const checked = checkSvgFile({ file: 'a.svg', bytes }, () => undefined);
        if (checked?.isAccepted !== true) continue;
        const published = withoutMetadata(bytes, checked);
        files.set(`/published/${at}`, ['image/svg+xml', published]);
        files.set(`/inlined/${at}`, page(published.toString().replace(/^\ufeff/, '')));
        files.set(
          `/image/${at}`,
          page(`<img src="/published/${at}"><i style="background:url(/published/${at})">a</i>`),
        );
      }
      expect(files.size).toBeGreaterThan(100);
      const requested: string[] = [];
      const server = await listening(({ url = '' }, response) => {
        const [type, body] = files.get(url) ?? [];
        requested.push(url);
        if (type === undefined) response.writeHead(404).end();
        else response.setHeader('Content-Type', type).end(body);
      });
      const browser = await launch();
      /** Opens a file as a visitor who moves the mouse, clicks, and presses Tab and Enter. @returns the actions of the file */
      const visit = async (file: string): Promise<string[]> => {
        requested.length = 0;
        const context = await browser.newContext({ viewport: { width: 400, height: 400 } });
        const actions: string[] = [];
        context.on('dialog', (dialog) => {
          actions.push('alert');
          dialog.dismiss().catch(() => undefined);
        });
        context.on('request', (request) => void (request.url().startsWith(server.url) || actions.push(request.url())));
        const visited = await context.newPage();
        // Malformed XML does not load.
        await visited.goto(server.url + file).catch(() => undefined);
        await visited.mouse.click(120, 130);
        for (const key of ['Tab', 'Enter']) await visited.keyboard.press(key);
        await visited.waitForTimeout(100); // for actions that start in the next frame
        await context.close();
        const own = new Set([file, '/favicon.ico', file.replace('/image/', '/published/')]);
        return [...actions, ...requested.filter((url) => !own.has(url))];
      };
      try {
        expect(await visit('/attack')).toEqual(['alert']);
        for (const file of files.keys()) if (file !== '/attack') expect([file, await visit(file)]).toEqual([file, []]);
      } finally {
        await browser.close();
        await server.stop();
      }
    },
  );
});
