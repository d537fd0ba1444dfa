import type { Report } from '../diagnostics/diagnostic.ts';
import type { OutputFile, PrivateFile } from '../document/output-file.ts';
import type { KeyKind } from '../users/key.ts';
import type { Mapping } from '../users/mapping.ts';
import type { EdgeRules } from './contract.ts';
import type { Templates, View } from './template.ts';

/** What a host supports. Declared by its adapter, enforced before it writes files, and listed in its README and by `build --verbose`. */
export interface Capabilities {
  /** The supported identity rules. */
  identity: {
    names: readonly ('user' | 'group' | 'theme')[];
    cookie: boolean;
    /** Headers of trusted proxies, identified by their address or by a secret that they add. */
    trustedProxies: boolean;
    sharedSecret: boolean;
    /** Supported token algorithms. */
    jwt: readonly ('HS256' | 'RS256' | 'ES256')[];
    /** Whether it queries a login service; one URL for all rules. */
    authRequest: boolean;
    /** The hostname of the request. */
    host: boolean;
  };
  /** Maximum number of keys (users and groups together); 0 for a host without a mapping. */
  maxKeys: number;
  /** The reason for this limit: measured, or a limit of the vendor. */
  maxKeysBecause: string;
  /** The limit with keyed shards, if the host supports them. */
  keyed?: { maxKeys: number; maxKeysBecause: string };
  /** Whether keys that differ only by case are distinct. */
  caseSensitiveKeys: boolean;
  /** Whether it runs rules: negotiation, OPTIONS, error responses, headers and CORS. Without, it sends files: always JSON. */
  hasRules: boolean;
  /** ETag by content, by modification time (only on LIST), or none. */
  etag: 'content' | 'list-only' | 'none';
  /** Maximum number of redirects of old paths; 0 if it cannot redirect. */
  redirects: number;
  /** The reason for this limit. */
  redirectsBecause: string;
}

/** The input of an adapter. */
export interface EdgeInput {
  rules: EdgeRules;
  /** Keys with their themes. All keys use the canonical alphabet. */
  mapping: Mapping;
  /** The compiled handler, by file name, for hosts that run code. */
  runtime: Readonly<Record<string, string>>;
  templates: Templates;
  report: Report;
}

/** A file of the private output. */
export type EdgeFile = OutputFile | PrivateFile;

/** Writes the files that make one kind of host implement the contract. */
export interface EdgeAdapter {
  /** Name of the host in messages. */
  title: string;
  capabilities: Capabilities;
  /**
   * Describes where a key is stored; hosts without a mapping have none.
   * @param folder - the folder of the files of this host
   */
  storedIn?(kind: KeyKind, key: string, folder: string): string;
  /** The old paths that the host cannot redirect, each with the reason as a phrase that completes “The old path …”. */
  redirectProblems?: (paths: readonly string[]) => [path: string, reason: string][];
  /** The files below `edge/<host>/` besides README.md. Called only if the {@link Capabilities} suffice. */
  files(input: EdgeInput): EdgeFile[];
  /** How requests for the declared hostnames reach the service, for README.md; for hosts that read the hostname. */
  routing?: string;
  /** What README.md of the host, a template beside the adapter, says of a site beyond what the READMEs of all hosts may say. */
  readme?(input: EdgeInput): View;
  /** Files for the root of `dist/`, for hosts that read them there; never keys. */
  publicFiles?(input: EdgeInput): OutputFile[];
}
