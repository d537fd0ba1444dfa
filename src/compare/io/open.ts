import { quote } from '../../diagnostics/quote.ts';
import type { EdgeRules } from '../../hosts/contract.ts';
import { reasonOf } from '../../http/io/client.ts';
import { serve } from '../../http/io/serve.ts';
import { isInsideNetwork } from '../../http/io/origin.ts';
import { readRules } from '../../io/built.ts';
import { UsageError } from '../../command-line/command.ts';
import { Side, type SideOptions } from './side.ts';

type Options = Pick<SideOptions, 'rate' | 'mediaHosts'>;

/** Opens the service that is replaced. @param listHeaders - headers without which it does not show its list */
export async function openOld(
  url: string,
  options: Options,
  listHeaders?: Readonly<Record<string, string>>,
): Promise<Side> {
  const allowsPrivate = await isPrivate('OLD', url);
  if (listHeaders !== undefined && url.startsWith('http:') && !allowsPrivate)
    throw new UsageError('The header for LIST would be sent without encryption. Use an https URL.');
  return new Side({ name: 'OLD', url, allowsPrivate, listHeaders, ...options });
}

/**
 * Opens what replaces it: a service, or a build, which is served on 127.0.0.1, so that it responds as on a host.
 * @param url - undefined for the build
 */
export async function openNew(
  url: string | undefined,
  { out, edge }: { out: string; edge: string },
  options: Options,
): Promise<Side> {
  if (url !== undefined) {
    // A build that is deployed for a rehearsal names its images at its public address.
    const rules: EdgeRules | undefined = await readRules(edge).catch(() => undefined);
    const allowsPrivate = await isPrivate('NEW', url);
    const { baseUrl, corsOrigins: origins } = { corsOrigins: [], ...rules };
    return new Side({ name: 'NEW', url, baseUrl, origins, allowsPrivate, ...options });
  }
  const { rules, server, url: own } = await serve({ outDir: out, edgeOutDir: edge, port: 0 });
  const shown = quote(out).slice(1, -1);
  const ofBuild = { name: 'NEW', url: own, shown, origins: rules.corsOrigins, server, allowsPrivate: true };
  // As fast as it goes: it is this process.
  return new Side({ ...ofBuild, ...options, rate: 10_000 });
}

function isPrivate(name: string, url: string): Promise<boolean> {
  return isInsideNetwork(new URL(url).origin).catch((error: unknown) => {
    throw new UsageError(`${name} cannot be reached at ${url}: ${reasonOf(error)}.`);
  });
}
