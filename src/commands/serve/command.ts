import { defineCommand } from '../../system/command-line/command.ts';
import { repeatedFlags } from '../../system/command-line/site-root.ts';
import { FLAGS, portOf } from '../../system/command-line/flags.ts';
import { visibleLines } from '../../core/diagnostics/quote.ts';
import type { EdgeRules } from '../../hosts/contract/contract.ts';
import { invocation } from '../../system/command-line/invocation.ts';

export const command = defineCommand({
  examples: ['serve', 'serve --port 3000'],
  flags: {
    out: { ...FLAGS.out, about: 'Public output of the build to serve' },
    'edge-out': { ...FLAGS['edge-out'], about: 'Private output of that build' },
    port: FLAGS.port,
    quiet: { ...FLAGS.quiet, about: 'Print errors only' },
  },
  async run({ out, 'edge-out': edgeOut, port, quiet }) {
    const { serve } = await import('../../compiler/serve/serve.ts');
    const { url, rules, server } = await serve({ outDir: out, edgeOutDir: edgeOut, port: portOf(port) });
    // Before the greeting: a program that reads it may stop the server at once.
    const stopped = new Promise<void>((resolve) => {
      const stop = (): void => {
        server.closeAllConnections();
        server.close(() => resolve());
      };
      process.once('SIGINT', stop);
      process.once('SIGTERM', stop);
    });
    if (!quiet) process.stdout.write(visibleLines(greeting({ out, edgeOut }, url, rules)));
    await stopped;
    return 0;
  },
});

function greeting(
  { out, edgeOut }: { out: string; edgeOut: string },
  url: string,
  { identity, baseUrl, corsOrigins }: EdgeRules,
): string {
  const rule = identity.find(({ credential }) => ['cookie', 'host'].includes(credential.from));
  const example = rule?.names.toUpperCase();
  const flag =
    rule?.credential.from === 'cookie'
      ? `-b ${rule.credential.name}=${example}`
      : rule?.credential.from === 'host'
        ? `-H 'Host: ${Object.keys(rule.credential.themes ?? { HOSTNAME: '' })[0] ?? ''}'`
        : undefined;
  const folders = repeatedFlags({ out, 'edge-out': edgeOut });
  const rebuild = invocation('build', ['--base-url', url, ...folders]);
  return [
    `Serving ${out}/ on 127.0.0.1, responding as the hosts do.`,
    `  List    ${url}/api/v2/theme/`,
    `  Config  ${url}/api/v2/theme/config/`,
    `  Page    ${url}/api/v2/theme/?format=api`,
    ...(flag === undefined
      ? []
      : [
          `  ${rule?.credential.from === 'host' ? 'By hostname' : `As a ${rule?.names}`}: curl ${flag} ${url}/api/v2/theme/config/`,
        ]),
    ...(corsOrigins.length > 0
      ? []
      : [
          '  Pages at other origins, such as another port, can fetch it if `cors.allowed_origins` in site.yaml has them.',
        ]),
    '',
    ...(baseUrl === url
      ? [
          `Next, in another terminal: \`${invocation('verify', [url, ...folders])}\` compares every response with the build.`,
        ]
      : [
          `Next: once it is uploaded, \`${invocation('verify', [baseUrl, ...folders])}\` compares every response with the build.`,
          `To verify it here, in another terminal: \`${rebuild} && ${invocation('verify', [url, ...folders])}\`; then build again without \`--base-url\`.`,
        ]),
    'Press Ctrl+C to stop.',
    '',
  ].join('\n');
}
