import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { fetchHandler } from '../../src/hosts/fetch/index.ts';
import { type Host, platformContractSuite } from './contract.ts';
import { sendAll } from './contract/send.ts';
import { JWKS, JWKS_URL } from './contract/tokens.ts';
import { install } from './install.ts';
import { DENO, onPlatforms } from '../platforms.ts';
import { freePort, startServer } from './process.ts';
import { type PublishedSite, publishSite, removeSite, textOf } from './site.ts';

/** A module that replaces `fetch`, because no test can reach the login service. */
const LOGIN_SERVICE = `data:text/javascript,${encodeURIComponent(
  `globalThis.fetch = async (url) => Response.json({ keys: String(url) === ${JSON.stringify(JWKS_URL)} ? ${JSON.stringify(JWKS)} : [] });`,
)}`;

async function startNode(site: PublishedSite): Promise<Host> {
  const { folder } = await install('fetch', fetchHandler, site);
  const port = await freePort();
  const env = { ...site.secrets, PORT: String(port), THEMECAST_DIST: `file://${site.dist}` };
  return startServer({
    command: process.execPath,
    args: ['--import', LOGIN_SERVICE, path.join(folder, 'node.js')],
    port,
    env,
  });
}

const capabilities = { ...fetchHandler.capabilities, media: 'files' } as const;
platformContractSuite('a fetch handler under Node.js', startNode, capabilities);

describe('a fetch handler', () => {
  onPlatforms('the handler under Deno', () => {
    it('runs under `deno serve`', async () => {
      const site = await publishSite();
      const { folder } = await install('fetch', fetchHandler, site);
      const port = await freePort();
      const permissions = ['--no-prompt', '--allow-net', `--allow-read=${site.folder}`, '--allow-env'];
      const args = [
        'serve',
        '--quiet',
        '--no-config',
        '--no-lock',
        ...permissions,
        '--host',
        '127.0.0.1',
        '--port',
        String(port),
      ];
      const env = { DENO_DIR: path.join(site.folder, 'deno'), DENO_NO_UPDATE_CHECK: '1' };
      const host = await startServer({
        command: DENO ?? 'deno',
        args: [...args, path.join(folder, 'theme.js')],
        port,
        env,
      });
      const media = '/media/harbor/logo.3f2a9c01.svg';
      const requests = ['/api/v2/theme/', '/api/v2/theme/config/', media, '/media/harbor/none.svg'];
      const answers = await sendAll(
        port,
        requests.map((target) => ({ path: target })),
      );
      await host.stop();
      expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 404]);
      expect(answers[0]?.body).toBe(textOf(site, 'api/v2/theme/index.json'));
      await removeSite(site);
    });
  });
});
