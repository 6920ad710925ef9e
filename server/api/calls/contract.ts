import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';
import type { operations } from '../../../src/client/wire/schema.gen.ts';

export type OperationId = keyof operations;

/** The contract's statements about a call, beyond the schemas that the router validates. */
export type Operation = {
  operationId: OperationId;
  format: 'xml' | 'json';
  access: 'open' | 'either' | 'login';
  /** the call accepts an Idempotency-Key */
  acceptsIdempotencyKey: boolean;
  /** the call is a step of a purchase, so it has priority over lists and pages */
  hasPriority: boolean;
  /**
   * callers who share one cached response until the store changes: none, all visitors, or all
   * callers
   */
  shared: 'nobody' | 'visitors' | 'everybody';
  /** the call writes nothing, so it may be cancelled anywhere */
  isReadOnly: boolean;
};

type OperationDocument = {
  operationId: OperationId;
  'x-access'?: Operation['access'];
  'x-goes-first'?: boolean;
  'x-shared'?: Operation['shared'];
  'x-changes'?: boolean;
  'x-records'?: boolean;
  'x-fastify-config'?: { operation: Operation };
  parameters?: { $ref?: string; name?: string }[];
  responses: Record<string, { content?: Record<string, unknown> }>;
};

type Contract = { paths: Record<string, Record<string, OperationDocument>> };

const METHODS = new Set(['get', 'post', 'put', 'delete']);

/**
 * Reads openapi.yaml and annotates each call for the server. Response schemas are not passed to the
 * router: the tests check responses, not every call.
 */
export function loadContract(): Contract {
  const file = fileURLToPath(new URL('../../../openapi.yaml', import.meta.url));
  const contract = parse(readFileSync(file, 'utf8')) as Contract;
  for (const methods of Object.values(contract.paths))
    for (const [method, call] of Object.entries(methods)) {
      if (!METHODS.has(method)) continue;
      call['x-fastify-config'] = { operation: toOperation(method, call) };
      call.responses = { default: { description: 'See the contract.' } as object };
    }
  return contract;
}

function toOperation(method: string, call: OperationDocument): Operation {
  const content = call.responses['200']?.content ?? {};
  return {
    operationId: call.operationId,
    format: 'application/json' in content ? 'json' : 'xml',
    access: call['x-access'] ?? 'open',
    hasPriority: call['x-goes-first'] ?? false,
    shared: call['x-shared'] ?? 'nobody',
    isReadOnly: method === 'get' && !call['x-changes'] && !call['x-records'],
    acceptsIdempotencyKey: (call.parameters ?? []).some((each) => each.$ref?.endsWith('/idempotencyKey') ?? false),
  };
}
