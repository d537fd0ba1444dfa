import type { Report } from '../diagnostics/diagnostic.ts';
import { type FileFacts, factsOf, type OutputFile, type PrivateFile } from '../document/output-file.ts';
import type { EdgeRules } from '../hosts/contract.ts';
import type { LocatedRedirect } from '../hosts/redirects.ts';
import { readHostTemplates, readRuntime } from '../io/runtime.ts';
import type { UserFiles } from './compile-users.ts';
import { type Memory, recorder } from './memory.ts';
import type { LinkedHosts, LinkedThemes, Recorded } from './model.ts';

/** The names, sizes and hashes of all files of hosts. */
interface HostFacts {
  private: LinkedHosts['private'];
  public: readonly FileFacts[];
}

/** Checks that every host can do what the rules ask for. */
export async function checkHosts(...input: Parameters<typeof inputsOf>): Promise<void> {
  const [site, rules, redirects, users, memory, report] = input;
  const inputs = inputsOf(...input);
  if (memory.recall('hosts', inputs, report) !== undefined || memory.recall('checked hosts', inputs, report) !== undefined)
    return;
  const diagnostics: Recorded[] = [];
  await write(site, rules, redirects, users, recorder(diagnostics, report));
  memory.remember('checked hosts', inputs, true, diagnostics);
}

/** The files of all hosts; written only if something has changed that they depend on, or one of them is missing. */
export async function linkHosts(...input: Parameters<typeof inputsOf>): Promise<LinkedHosts> {
  const [site, rules, redirects, users, memory, report] = input;
  const inputs = inputsOf(...input);
  const known = memory.recall<HostFacts>('hosts', inputs, report);
  let written: Awaited<ReturnType<LinkedHosts['make']>> | undefined;
  if (known !== undefined)
    return { ...known, make: async () => (written ??= await write(site, rules, redirects, users, () => undefined)) };
  const diagnostics: Recorded[] = [];
  written = await write(site, rules, redirects, users, recorder(diagnostics, report));
  const facts: HostFacts = {
    private: written.private.map(factsOf),
    public: written.public.map(({ content: _, ...fact }) => fact),
  };
  memory.remember('hosts', inputs, facts, diagnostics);
  const made = written;
  return { ...facts, make: () => Promise.resolve(made) };
}

function inputsOf(
  { settings: { site, edge, rules: places } }: Pick<LinkedThemes, 'settings'>,
  rules: EdgeRules,
  redirects: readonly LocatedRedirect[],
  users: UserFiles,
  _memory: Memory,
  _report: Report,
): unknown[] {
  return [users.key, rules, redirects, site.edge, edge, places];
}

async function write(
  { settings }: Pick<LinkedThemes, 'settings'>,
  rules: EdgeRules,
  redirects: readonly LocatedRedirect[],
  users: UserFiles,
  report: Report,
): Promise<{ private: (OutputFile | PrivateFile)[]; public: OutputFile[] }> {
  const { edgeOutput } = await import('../hosts/edge-output.ts');
  const { site, edge, rules: places } = settings;
  const [runtime, templates, { mapping }] = [await readRuntime(), await readHostTemplates(site.edge), await users.open()];
  const { edgeFiles, publicFiles } = await edgeOutput(
    site.edge,
    { rules, mapping, runtime, templates, report },
    users.compiled.assigned,
    {
      edge,
      identity: (rule) => places[rule] ?? edge,
      redirects: (from) => redirects.find((one) => one.from === from)?.location ?? edge,
    },
  );
  return { private: edgeFiles, public: publicFiles };
}
