import type { OutputFile } from '../document/output-file.ts';
import type { Mapping } from '../users/mapping.ts';
import type { Capabilities, EdgeAdapter, EdgeFile, EdgeInput } from './adapter.ts';
import type { EdgeRules } from './contract.ts';
import {
  embeddedMapping,
  GENERATED,
  handlerModules,
  moduleFile,
  ownRequestHeaders,
  rulesModule,
  shardedThemes,
} from './handler-modules.ts';
import { EDGE_CODE } from './presets.ts';
import { KEY_SECRET, OLD_KEY_SECRET } from './secrets.ts';

/** A key-value store, which the code asks for keys. Without one, the mapping is part of the code. */
interface Store {
  /** Statements, and an expression for a function of the kind of a key and the key. */
  setUp: string;
  themeOf: string;
  /** An expression for a function that reads a value of keyed shards by its name. */
  readValue: string;
  files(mapping: Mapping): EdgeFile[];
}

/** What a platform has of its own, around the handler. */
interface FetchHost extends Pick<EdgeAdapter, 'title' | 'storedIn' | 'routing' | 'readme' | 'publicFiles'> {
  /** What differs from {@link EDGE_CODE}. */
  capabilities: Omit<Capabilities, keyof typeof EDGE_CODE> & Partial<Capabilities>;
  /** The module that the platform runs; the folder of all others, and how that module imports it. */
  entry: string;
  modules: string;
  imports: string;
  store?: Store;
  /** An expression for a secret, by its name. */
  secret(name: string): string;
  /** The rules of the handler, if it needs fewer than all. */
  handlerRules?(rules: EdgeRules): EdgeRules;
  /**
   * The code of the entry: calls `answer(request, rules, platform)` (`src/edge-runtime/answer.ts`).
   * @param themeOf - the member of that name
   * @param ownRequest - the headers by which it recognizes its own requests
   */
  code(rules: EdgeRules, themeOf: string, ownRequest: Readonly<Record<string, string>>): string;
  /** The configuration of the platform. */
  config(rules: EdgeRules): OutputFile[];
}

/** A host that runs code with `fetch` handlers. */
export function defineFetchHost(host: FetchHost): EdgeAdapter {
  const { title, capabilities, routing, readme, publicFiles, storedIn, modules, store } = host;
  return {
    title,
    capabilities: { ...EDGE_CODE, ...capabilities },
    ...(routing !== undefined && { routing }),
    ...(readme !== undefined && { readme }),
    ...(publicFiles !== undefined && { publicFiles }),
    storedIn: storedIn ?? ((_kind, _key, folder) => `${folder}/${modules}mapping.js`),
    files(input) {
      const { rules, mapping } = input;
      const code = [rulesModule(`${modules}rules.js`, host.handlerRules?.(rules) ?? rules)];
      if (store === undefined) code.push(embeddedMapping(modules, mapping));
      return [
        moduleFile(host.entry, entryModule(host, input, code)),
        ...code,
        ...handlerModules(modules, input),
        ...host.config(rules),
        ...(store?.files(mapping) ?? []),
      ];
    },
  };
}

function entryModule(
  { imports, store, ...host }: FetchHost,
  { rules }: EdgeInput,
  code: readonly OutputFile[],
): string {
  const ownRequest = ownRequestHeaders(code);
  const header = `${GENERATED}
import { answer } from '${imports}answer.js';
import { rules } from '${imports}rules.js';
`;
  if (rules.keyed) {
    const data = store === undefined ? `import { values } from '${imports}shards-data.js';\n` : '';
    const secrets = [host.secret(KEY_SECRET), host.secret(OLD_KEY_SECRET)];
    const themes = shardedThemes(store?.readValue ?? 'async (name) => values.get(name)', secrets);
    const sharded = `import { ShardedThemes } from '${imports}shards.js';\n${data}${themes}`;
    return header + sharded + host.code(rules, '(kind, key) => shards.themeOf(kind, key)', ownRequest);
  }
  if (store !== undefined) return header + store.setUp + host.code(rules, store.themeOf, ownRequest);
  const mapping = `import { mapping } from '${imports}mapping.js';\n`;
  return header + mapping + host.code(rules, 'async (kind, key) => mapping[kind].get(key)', ownRequest);
}
