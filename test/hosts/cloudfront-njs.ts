import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chmod, mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { storedSecrets } from './cloudfront-shim.ts';
import type { Host } from './contract.ts';
import { freePort, installed, startServer } from './process.ts';
import type { PublishedSite } from './site.ts';
import { IN_FOREGROUND } from './nginx-process.ts';

const NGINX = installed('nginx', '-v');
const MODULE = '/usr/lib/nginx/modules/ngx_http_js_module.so';

/**
 * njs, the engine of nginx for ES 5.1 with a few later features: it is closer to cloudfront-js-2.0 than V8. It also lacks `for` … `of`,
 * destructuring and default parameters, and has the same messages ("Token … not supported in this version").
 */
export const NJS = NGINX !== undefined && existsSync(MODULE) ? NGINX : undefined;

/** Runs the viewer-request function in njs. The response to each request is the function's result, as JSON. */
export async function startNjs(site: PublishedSite, files: ReadonlyMap<string, string>): Promise<Host> {
  const port = await freePort();
  const prefix = path.join(site.folder, 'njs');
  await mkdir(prefix);
  const code = (files.get('viewer-request.js') ?? '').replace("'cloudfront'", "'cloudfront.js'");
  await writeFile(path.join(prefix, 'function.js'), code + BRIDGE);
  await writeFile(path.join(prefix, 'cloudfront.js'), keyValueStore(files.get('kvs.json') ?? '', site));
  await writeFile(path.join(prefix, 'nginx.conf'), nginxConf(port));
  await chmod(site.folder, 0o755);
  const config = ['-p', prefix, '-c', path.join(prefix, 'nginx.conf'), '-e', path.join(prefix, 'error.log')];
  const check = spawnSync(NJS ?? 'nginx', [...config, '-t']);
  if (check.status !== 0) throw new Error(check.stderr.toString());
  return startServer({ command: NJS ?? 'nginx', args: config, port });
}

function keyValueStore(kvs: string, site: PublishedSite): string {
  const { data } = JSON.parse(kvs) as { data: { key: string; value: string }[] };
  const entries = [...data, ...storedSecrets(site).map(([key, value]) => ({ key, value }))];
  return `const entries = ${JSON.stringify(entries)};
const find = (key) => entries.find((entry) => entry.key === key);
const get = (key) => find(key) ? Promise.resolve(find(key).value) : Promise.reject(new Error('KeyNotFound'));
export default { kvs: () => ({ get: get }) };
`;
}

/** Makes an event from a request to nginx. (`await` in an argument would crash njs 0.7.9, so it is a statement.) */
const BRIDGE = String.raw`
async function serve(r) {
  const url = r.variables.request_uri;
  const at = url.indexOf('?');
  const headers = {};
  const cookies = {};
  Object.keys(r.headersIn).forEach((name) => {
    if (name.toLowerCase() !== 'cookie') headers[name.toLowerCase()] = { value: r.headersIn[name] };
  });
  (r.headersIn.cookie || '').split('; ').forEach((pair) => {
    const end = pair.indexOf('=');
    const name = pair.slice(0, end);
    if (end > 0 && !cookies[name]) cookies[name] = { value: pair.slice(end + 1) };
  });
  const request = { method: r.method, uri: at < 0 ? url : url.slice(0, at), headers: headers, cookies: cookies, querystring: {} };
  request.rawQueryString = () => at < 0 ? undefined : url.slice(at + 1);
  const result = await handler({ request: request });
  r.return(200, JSON.stringify(result));
}
export default { serve };
`;

function nginxConf(port: number): string {
  return `load_module ${MODULE};
${IN_FOREGROUND}http {
    access_log off;
    client_body_temp_path body;
    proxy_temp_path proxy;
    fastcgi_temp_path fastcgi;
    uwsgi_temp_path uwsgi;
    scgi_temp_path scgi;
    js_path .;
    js_import main from function.js;
    server {
        listen 127.0.0.1:${port};
        location / { js_content main.serve; }
    }
}
`;
}
