import type { AddressInfo } from 'node:net';
import Fastify, { type FastifyReply, type FastifyRequest } from 'fastify';

/**
 * Parameters that a call accepts: `true` stands for any value, `[shape]` for a list, an object for
 * named parts. `toShape` in the gateways' `parameters.ts` takes the names from the official
 * library's types; a parameter that is sent but not listed is recorded as an unknown request.
 */
export type ParameterShape = true | [ParameterShape] | { [name: string]: ParameterShape };

/** Paths of sent parameters that a call does not accept, such as metadata[other]. */
function findUnknownParameters(parameters: unknown, shape: ParameterShape, path = ''): string[] {
  if (shape === true) return [];
  if (Array.isArray(shape))
    return Object.values(parameters ?? {}).flatMap((each) => findUnknownParameters(each, shape[0], `${path}[]`));
  if (typeof parameters !== 'object' || parameters === null) return [path];
  return Object.entries(parameters).flatMap(([name, value]) => {
    const knownShape = shape[name];
    const parameterPath = path === '' ? name : `${path}[${name}]`;
    return knownShape === undefined ? [parameterPath] : findUnknownParameters(value, knownShape, parameterPath);
  });
}

/** Returns a stored object without these properties, which are internal to the fake. */
export const omit = (record: object, ...names: string[]): object =>
  Object.fromEntries(Object.entries(record).filter(([name]) => !names.includes(name)));

/** An error response of a gateway. */
export class GatewayError extends Error {
  readonly status: number;
  readonly error: Record<string, unknown>;
  constructor(status: number, error: Record<string, unknown>) {
    super(JSON.stringify(error));
    this.status = status;
    this.error = error;
  }
}

export type GatewayCall = { id: string; form: Record<string, unknown> };

/**
 * How the next call fails. `silent`: it is not executed and gets no response; `lost`: it is
 * executed, and its response is lost; `cut`: it is executed, and half of its response is sent;
 * `broken`: it is not executed, and gets the status 500, which is stored under the idempotency key.
 */
export type ResponseFault = 'silent' | 'lost' | 'cut' | 'broken';

type FakeGatewayOptions = {
  /** supported calls, such as `GET /v1/orders/:id`, and the parameters of each */
  calls: Record<string, ParameterShape>;
  responders: Record<string, (call: GatewayCall) => object>;
  authorization: string;
  parseBody(body: string): Record<string, unknown>;
  parseQuery(query: string): Record<string, unknown>;
};

type StoredResponse = { fingerprint: string; status: number; body: string };

/**
 * Serves a gateway's API on a local port, and records the calls and parameters that the real
 * gateway would not accept.
 */
export async function startFakeGateway({ calls, responders, authorization, parseBody, parseQuery }: FakeGatewayOptions) {
  const app = Fastify({ forceCloseConnections: true });
  const unknownRequests: string[] = [];
  const callNames: string[] = [];
  const storedResponses = new Map<string, StoredResponse>();
  let nextFault: { call: string; kind: ResponseFault } | undefined;
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'string' }, (_request, body, done) => done(null, String(body)));

  const run = (name: string, call: GatewayCall): Omit<StoredResponse, 'fingerprint'> => {
    try {
      const respond = responders[name];
      if (!respond) throw new GatewayError(404, { code: 'unknown_call' });
      return { status: 200, body: JSON.stringify(respond(call)) };
    } catch (error) {
      if (error instanceof GatewayError) return { status: error.status, body: JSON.stringify({ error: error.error }) };
      throw error;
    }
  };

  const findCall = ({ method, url }: FastifyRequest): { name: string; id: string } => {
    const { pathname } = new URL(url, 'http://gateway');
    for (const name of Object.keys(calls)) {
      const [callMethod, path = ''] = name.split(' ');
      const match = new RegExp(`^${path.replace(':id', '([^/]+)')}$`).exec(pathname);
      if (callMethod === method && match) return { name, id: match[1] ?? '' };
    }
    unknownRequests.push(`${method} ${pathname}`);
    return { name: '', id: '' };
  };

  app.all('/*', (request: FastifyRequest, reply: FastifyReply): FastifyReply => {
    const { name, id } = findCall(request);
    const query = new URL(request.url, 'http://gateway').search.slice(1);
    const form = { ...parseQuery(query), ...(typeof request.body === 'string' ? parseBody(request.body) : {}) };
    for (const parameter of findUnknownParameters(form, calls[name] ?? {})) unknownRequests.push(`${name}: ${parameter}`);
    callNames.push(name);
    if (request.headers.authorization !== authorization) return reply.code(401).send({ error: { type: 'authentication_error' } });
    const fault = nextFault?.call === name ? nextFault.kind : undefined;
    if (fault) nextFault = undefined;
    if (fault === 'silent') return reply.hijack();
    const key = String(request.headers['idempotency-key'] ?? '');
    const fingerprint = JSON.stringify([name, id, form]);
    const storedResponse = storedResponses.get(key);
    if (storedResponse && storedResponse.fingerprint !== fingerprint)
      return reply.code(400).send({ error: { type: 'idempotency_error' } });
    const response =
      storedResponse ?? (fault === 'broken' ? { status: 500, body: '{"error":{"type":"api_error"}}' } : run(name, { id, form }));
    if (key !== '') storedResponses.set(key, { ...response, fingerprint });
    if (fault === 'lost') return reply.hijack();
    if (fault === 'cut') {
      const length = String(Buffer.byteLength(response.body));
      reply.hijack().raw.writeHead(response.status, { 'content-type': 'application/json', 'content-length': length });
      reply.raw.write(response.body.slice(0, response.body.length / 2), () => reply.raw.destroy());
      return reply;
    }
    void reply
      .code(response.status)
      .type('application/json')
      .headers(storedResponse ? { 'idempotent-replayed': 'true' } : {});
    return reply.send(response.body);
  });
  await app.listen({ port: 0, host: '127.0.0.1' });
  return {
    port: (app.server.address() as AddressInfo).port,
    /** Calls and parameters that the real gateway does not have. */
    unknownRequests,
    /** Names of all received calls. */
    callNames,
    /** Makes the next call with this name fail. */
    failNext(call: string, kind: ResponseFault): void {
      if (!(call in calls)) throw new Error(`The fake gateway has no call ${call}.`);
      nextFault = { call, kind };
    },
    close: () => app.close(),
  };
}
