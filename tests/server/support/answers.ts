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

const resolve = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(resolve);
  if (typeof value !== 'object' || value === null) return value;
  const { $ref } = value as Schema;
  if ($ref?.startsWith('#/components/schemas/')) return resolve(contract.components.schemas[$ref.split('/')[3] ?? '']);
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, resolve(each)]));
};

/** The validators are Fastify's own, as the server's are; texts of XML become numbers and booleans in one of them. */
const validator = (coerceTypes: boolean): FastifyInstance =>
  Fastify({
    ajv: {
      customOptions: { coerceTypes, useDefaults: false, removeAdditional: false, allowUnionTypes: true, keywords: ['xml'] },
    },
  });
const checkers = { xml: validator(true), json: validator(false) };

function schemasOf(operationId: string): Map<string, Schema> {
  const call = calls.find((each) => each.call.operationId === operationId)?.call;
  if (!call) throw new Error(`The contract has no call ${operationId}.`);
  return new Map(
    Object.entries(call.responses).flatMap(([status, response]) => {
      const content = response.$ref
        ? contract.components.responses[response.$ref.split('/')[3] ?? '']?.content
        : response.content;
      return Object.entries(content ?? {}).map(([type, { schema }]) => [`${status} ${type}`, resolve(schema) as Schema] as const);
    }),
  );
}

const answers = new Map<string, { schema: Schema; route: string }>();
for (const { call } of calls)
  for (const [kind, schema] of schemasOf(call.operationId)) {
    const route = `/${call.operationId}/${kind.replaceAll(/[ /]/g, '-')}`;
    checkers[kind.endsWith('xml') ? 'xml' : 'json'].post(route, { schema: { body: schema } }, (request) => ({
      value: request.body,
    }));
    answers.set(`${call.operationId} ${kind}`, { schema, route });
  }

/**
 * Reads an answer by the contract's document for that call, status and content type.
 * @throws when the contract knows no such answer, or it does not fit
 */
export async function readAnswer(
  operationId: string,
  response: { statusCode: number; contentType: string; body: string },
): Promise<unknown> {
  const type = response.contentType.split(';')[0] ?? '';
  const known = answers.get(`${operationId} ${response.statusCode} ${type}`);
  if (!known) throw new Error(`${operationId} may not answer ${response.statusCode} ${type}: ${response.body.slice(0, 500)}`);
  const isXml = type.endsWith('xml');
  const value = isXml ? readXml(response.body, known.schema) : (JSON.parse(response.body) as unknown);
  const checked = await checkers[isXml ? 'xml' : 'json'].inject({ method: 'POST', url: known.route, payload: value as object });
  if (checked.statusCode !== 200)
    throw new Error(`${operationId} does not fit its contract: ${checked.body}\n${response.body.slice(0, 1000)}`);
  return checked.json<{ value: unknown }>().value;
}
