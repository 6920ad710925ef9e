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

const inlineSchemaRefs = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(inlineSchemaRefs);
  if (typeof value !== 'object' || value === null) return value;
  const { $ref } = value as Schema;
  if ($ref?.startsWith('#/components/schemas/')) return inlineSchemaRefs(contract.components.schemas[$ref.split('/')[3] ?? '']);
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, inlineSchemaRefs(each)]));
};

/**
 * Creates a Fastify instance that validates bodies as the shop does. With `coerceTypes`, for XML,
 * it coerces texts to numbers and booleans.
 */
const createValidator = (coerceTypes: boolean): FastifyInstance =>
  Fastify({
    ajv: {
      customOptions: { coerceTypes, useDefaults: false, removeAdditional: false, allowUnionTypes: true, keywords: ['xml'] },
    },
  });
const validators = { xml: createValidator(true), json: createValidator(false) };

function collectResponseSchemas(operationId: string): Map<string, Schema> {
  const call = calls.find((each) => each.call.operationId === operationId)?.call;
  if (!call) throw new Error(`The contract has no operation ${operationId}.`);
  return new Map(
    Object.entries(call.responses).flatMap(([status, response]) => {
      const content = response.$ref
        ? contract.components.responses[response.$ref.split('/')[3] ?? '']?.content
        : response.content;
      return Object.entries(content ?? {}).map(
        ([type, { schema }]) => [`${status} ${type}`, inlineSchemaRefs(schema) as Schema] as const,
      );
    }),
  );
}

const knownResponses = new Map<string, { schema: Schema; route: string }>();
for (const { call } of calls)
  for (const [responseKey, schema] of collectResponseSchemas(call.operationId)) {
    const route = `/${call.operationId}/${responseKey.replaceAll(/[ /]/g, '-')}`;
    validators[responseKey.endsWith('xml') ? 'xml' : 'json'].post(route, { schema: { body: schema } }, (request) => ({
      value: request.body,
    }));
    knownResponses.set(`${call.operationId} ${responseKey}`, { schema, route });
  }

/**
 * Parses a response, and validates it against the contract for its operation, status and content
 * type.
 * @throws where the contract has no such response, or the response does not match its schema
 */
export async function readValidated(
  operationId: string,
  response: { statusCode: number; contentType: string; body: string },
): Promise<unknown> {
  const type = response.contentType.split(';')[0] ?? '';
  const knownResponse = knownResponses.get(`${operationId} ${response.statusCode} ${type}`);
  if (!knownResponse)
    throw new Error(`${operationId} has no response ${response.statusCode} ${type}: ${response.body.slice(0, 500)}`);
  const isXml = type.endsWith('xml');
  const value = isXml ? readXml(response.body, knownResponse.schema) : (JSON.parse(response.body) as unknown);
  const validation = await validators[isXml ? 'xml' : 'json'].inject({
    method: 'POST',
    url: knownResponse.route,
    payload: value as object,
  });
  if (validation.statusCode !== 200)
    throw new Error(`The response of ${operationId} violates the contract: ${validation.body}\n${response.body.slice(0, 1000)}`);
  return validation.json<{ value: unknown }>().value;
}
