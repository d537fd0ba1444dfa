import type { Report } from '../diagnostics/diagnostic.ts';
import type { OutputFile, PrivateFile } from '../document/output-file.ts';
import type { KeyKind } from '../users/key.ts';
import type { Mapping } from '../users/mapping.ts';
import type { EdgeRules } from './contract.ts';
import type { Releases } from './releases.ts';

/** What a host can hold and express. Declared by its adapter, enforced before it writes, and listed in its README and by `build --verbose`. */
export interface Capabilities {
  /** What identity may name: users and groups of the mapping, slugs of themes. */
  identity: {
    names: readonly ('user' | 'group' | 'theme')[];
    cookie: boolean;
    /** Headers of proxies known by their address, or by a secret that they add. */
    trustedProxies: boolean;
    sharedSecret: boolean;
    /** Algorithms of tokens that it verifies. */
    jwt: readonly ('HS256' | 'RS256' | 'ES256')[];
    /** Whether it asks a login service who sent a request; one URL for all rules. */
    authRequest: boolean;
  };
  /** Greatest number of keys (users and groups together); 0 for a host that holds no mapping. */
  maxKeys: number;
  /** Where that number comes from: measured, or the vendor's limit. */
  maxKeysBecause: string;
  /** The same, for a host that looks keys up in shards where the site asks for them. */
  keyed?: { maxKeys: number; maxKeysBecause: string };
  /** Whether keys that differ only by case are told apart. */
  caseSensitiveKeys: boolean;
  /** Content negotiation: as the contract says, by `format` alone, or JSON always. */
  negotiation: 'accept' | 'format' | 'none';
  /** Whether OPTIONS is answered with its body, POST on LIST with 403, and other refusals with their JSON. */
  optionsBody: boolean;
  refusals: boolean;
  /** Whether Allow, Vary and Cache-Control are sent as the contract says. */
  headers: boolean;
  /** ETag by content, one by modification time (LIST alone), or none. */
  etag: 'content' | 'list-only' | 'none';
  cors: boolean;
}

/** What an adapter writes from. */
export interface EdgeInput extends Releases {
  rules: EdgeRules;
  /** Keys with a theme; keys keep to the canonical alphabet. */
  mapping: Mapping;
  /** The compiled handler, by file name, for hosts that run code. */
  runtime: Readonly<Record<string, string>>;
  report: Report;
}

/** A file of the private output. */
export type EdgeFile = OutputFile | PrivateFile;

/** Writes the files with which one kind of host answers as the contract says. */
export interface EdgeAdapter {
  /** Name of the host, as messages write it. */
  title: string;
  capabilities: Capabilities;
  /**
   * Where a key is looked up, in words; hosts without a mapping have none.
   * @param folder - where the files of this host are
   */
  storedIn?(kind: KeyKind, key: string, folder: string): string;
  /** The files below `edge/<host>/` besides README.md. Called only for what {@link Capabilities} allow. */
  files(input: EdgeInput): EdgeFile[];
  /** The beginning of README.md, as Markdown; what is the same for all hosts follows it. */
  readme(input: EdgeInput): string;
  /** Files for the root of `dist/`, for hosts that read them there; themes, never keys. */
  publicFiles?(input: EdgeInput): OutputFile[];
}
