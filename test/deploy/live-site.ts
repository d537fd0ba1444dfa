import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { EdgeRules } from '../../src/hosts/contract/contract.ts';
import { serve } from '../../src/compiler/serve/serve.ts';
import { freePort } from '../hosts/process.ts';

/** A simulated platform that replaces all files in each deployment. */
export interface LiveSite {
  port: number;
  /** The folder of the deployed `dist/` and `edge/`, and of `calls`, the arguments of each call of the tool. */
  folder: string;
  /** The environment of `deploy.sh`, with the platform's tool in PATH. */
  env: Readonly<Record<string, string>>;
  /** Makes the server respond to every request with this status, or normally if none is given. */
  respond: (status?: number, type?: string) => void;
  stop: () => Promise<void>;
}

/** Starts a platform without a deployment. @param tool - returns the platform's tool, a shell script */
export async function startLiveSite(tool: (folder: string) => string): Promise<LiveSite> {
  const folder = await mkdtemp(path.join(tmpdir(), 'themecast-live-'));
  const port = await freePort();
  const bin = path.join(folder, 'bin');
  await mkdir(bin);
  await writeFile(path.join(bin, 'npx'), `#!/bin/sh\nset -eu\necho "$@" >>'${folder}/calls'\n${tool(folder)}\n`, {
    mode: 0o755,
  });
  let fixed: { status: number; type: string } | undefined;
  const front = await startFront(port, folder, () => fixed);
  return {
    port,
    folder,
    env: { PATH: `${bin}:${process.env['PATH']}` },
    respond: (status, type = 'text/html') => {
      fixed = status === undefined ? undefined : { status, type };
    },
    stop: async () => {
      front.server.closeAllConnections();
      front.server.close();
      await rm(folder, { recursive: true });
    },
  };
}

/** Serves the deployed files as hosts do, including the record and manifest of the deployment. */
async function startFront(
  port: number,
  folder: string,
  fixed: () => { status: number; type: string } | undefined,
): Promise<{ server: Server }> {
  const dist = path.join(folder, 'dist');
  await mkdir(path.join(folder, 'edge'), { recursive: true });
  // `serve` starts only with a build, so this one is empty.
  await mkdir(dist);
  await writeFile(path.join(dist, 'manifest.json'), '{"files":[]}');
  await writeFile(
    path.join(folder, 'edge/rules.json'),
    '{"rules":{"identity":[],"headers":{"media":{"Cache-Control":"public, max-age=31536000, immutable"}}}}',
  );
  const { server } = await serve({ outDir: dist, edgeOutDir: path.join(folder, 'edge'), port });
  const listeners = server.listeners('request') as ((request: IncomingMessage, response: ServerResponse) => void)[];
  server.removeAllListeners('request');
  server.on('request', (request, response) => {
    const answer = fixed();
    if (answer !== undefined) {
      response.writeHead(answer.status, { 'Content-Type': answer.type }).end('<p>');
      return;
    }
    const [, name] =
      /^\/(api\/v2\/theme\/(?:deployment|manifest)\.json|media\/[\w-]+\/[\w-]+\.[\w.-]+)$/.exec(request.url ?? '') ??
      [];
    const respond = async (): Promise<void> => {
      const manifest = await readFile(path.join(dist, 'manifest.json'), 'utf8');
      // `serve` responds only with files of the manifest.
      if (name === undefined || manifest.includes(`"${name}"`)) {
        for (const listener of listeners) listener.call(server, request, response);
        return;
      }
      const body = await readFile(path.join(dist, name)).catch(() => undefined);
      if (body === undefined) {
        response.writeHead(404).end();
        return;
      }
      const { rules } = JSON.parse(await readFile(path.join(folder, 'edge/rules.json'), 'utf8')) as {
        rules: EdgeRules;
      };
      const headers = name.startsWith('media/')
        ? rules.headers.media
        : { ...rules.headers.all, ...rules.headers.record, 'Content-Type': rules.contentTypes.json };
      response.writeHead(200, headers).end(body);
    };
    respond().catch((error: unknown) => response.destroy(error as Error));
  });
  return { server };
}

/** Returns a stub of Netlify's tool, which copies the folder in `--dir`, and the rules, to the live site. */
export function netlify(folder: string): string {
  // npx runs a command with the tool in PATH, here this script again.
  return `if [ "$2" = -c ]; then eval "netlify() { sh '$0' \\"\\$@\\"; }; $3"; exit; fi
while [ "$1" != --dir ]; do shift; done
rm -rf '${folder}/dist' '${folder}/edge'
cp -R "$2" '${folder}/dist'
cp -R "$PWD/.." '${folder}/edge'`;
}
