import { readFileSync } from 'node:fs';
import Fastify, { type FastifyInstance } from 'fastify';
import { parse } from 'yaml';
import { readXml } from '../../../server/base/xml/read.ts';

type Schema = { $ref?: string; xml?: { name?: string } };
type Call = { operationId: string; responses: Record<string, { $ref?: string; content?: Record<string, { schema: Schema }> }> };
type Contract = {
  paths: Record<string, Record<string, Call>>;
  components: { schemas: Record<string, Schema>; responses: Record<string, { content?: Record<string, { schema: Schema }> }> };
};

const contract = parse(readFileSync(new URL('../../../openapi.yaml', import.meta.url), 'utf8')) as Contract;
export const calls = Object.entries(contract.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, call]) => ({ path, method, call })),
);

const resolveRefs = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(resolveRefs);
  if (typeof value !== 'object' || value === null) return value;
  const { $ref } = value as Schema;
  if ($ref?.startsWith('#/components/schemas/')) return resolveRefs(contract.components.schemas[$ref.split('/')[3] ?? '']);
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, resolveRefs(each)]));
};

/**
 * Fastify's own validators, as in the server. One of them coerces XML texts to numbers and
 * booleans.
 */
const createValidator = (coerceTypes: boolean): FastifyInstance =>
  Fastify({
    ajv: {
      customOptions: { coerceTypes, useDefaults: false, removeAdditional: false, allowUnionTypes: true, keywords: ['xml'] },
    },
  });
const validators = { xml: createValidator(true), json: createValidator(false) };

function responseSchemas(operationId: string): Map<string, Schema> {
  const call = calls.find((each) => each.call.operationId === operationId)?.call;
  if (!call) throw new Error(`The contract has no operation ${operationId}.`);
  return new Map(
    Object.entries(call.responses).flatMap(([status, response]) => {
      const content = response.$ref
        ? contract.components.responses[response.$ref.split('/')[3] ?? '']?.content
        : response.content;
      return Object.entries(content ?? {}).map(
        ([type, { schema }]) => [`${status} ${type}`, resolveRefs(schema) as Schema] as const,
      );
    }),
  );
}

const knownResponses = new Map<string, { schema: Schema; route: string }>();
for (const { call } of calls)
  for (const [kind, schema] of responseSchemas(call.operationId)) {
    const route = `/${call.operationId}/${kind.replaceAll(/[ /]/g, '-')}`;
    validators[kind.endsWith('xml') ? 'xml' : 'json'].post(route, { schema: { body: schema } }, (request) => ({
      value: request.body,
    }));
    knownResponses.set(`${call.operationId} ${kind}`, { schema, route });
  }

/**
 * Validates a response against the contract for its operation, status and content type.
 * @throws when the contract has no such response, or it does not match the schema
 */
export async function readValidated(
  operationId: string,
  response: { statusCode: number; contentType: string; body: string },
): Promise<unknown> {
  const type = response.contentType.split(';')[0] ?? '';
  const known = knownResponses.get(`${operationId} ${response.statusCode} ${type}`);
  if (!known) throw new Error(`${operationId} has no response ${response.statusCode} ${type}: ${response.body.slice(0, 500)}`);
  const isXml = type.endsWith('xml');
  const value = isXml ? readXml(response.body, known.schema) : (JSON.parse(response.body) as unknown);
  const checked = await validators[isXml ? 'xml' : 'json'].inject({ method: 'POST', url: known.route, payload: value as object });
  if (checked.statusCode !== 200)
    throw new Error(`The response of ${operationId} violates the contract: ${checked.body}\n${response.body.slice(0, 1000)}`);
  return checked.json<{ value: unknown }>().value;
}
