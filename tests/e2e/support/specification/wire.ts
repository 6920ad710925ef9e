import type { IncomingMessage, ServerResponse } from 'node:http';

/** A request of the page, read whole. */
export type WireRequest = {
  query: URLSearchParams;
  /** the parts of the path behind the call's name, decoded */
  rest: string[];
  body: string;
  request: IncomingMessage;
};

/** An answer, written by hand as each call of the second server has it. */
export type WireAnswer = { type: string; text: string; status?: number };

const escapeXml = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');

/** An element of a document; a field that is null is left out. */
export const element = (name: string, content: string | Record<string, string | number | boolean | null>): string => {
  if (typeof content === 'string') return `<${name}>${content}</${name}>`;
  const fields = Object.entries(content).flatMap(([field, value]) =>
    value === null ? [] : [`<${field}>${escapeXml(String(value))}</${field}>`],
  );
  return `<${name}>${fields.join('')}</${name}>`;
};

export const xml = (text: string, status = 200): WireAnswer => ({
  type: 'text/xml',
  text: `<?xml version="1.0"?>\n${text}`,
  status,
});

/** JSON under a generic content type, as from a server that knows no better one. */
export const json = (value: unknown, status = 200): WireAnswer => ({ type: 'text/plain', text: JSON.stringify(value), status });

export const html = (body: string, status = 200): WireAnswer => ({
  type: 'text/html',
  text: `<!doctype html><html lang="en"><title>Pay</title><main>${body}</main></html>`,
  status,
});

/** The specification names no body for calls without a result. */
export const emptyAnswer: WireAnswer = { type: 'text/xml', text: '', status: 200 };

export const unauthorized = xml(element('Error', { StatusCode: 401, Status: 'Unauthorized', Message: 'Who are you?' }));
export const notFound = html('<h1>404 Not Found</h1>', 404);
export const refuse = (message: string): WireAnswer =>
  xml(element('Error', { StatusCode: 409, Status: 'Refused', Message: message }));

export const sendAnswer = (response: ServerResponse, { type, text, status = 200 }: WireAnswer): void => {
  response.statusCode = status;
  response.setHeader('content-type', type).end(text);
};

/** The text of a field in a document of the page. */
export const readField = (body: string, name: string): string => new RegExp(`<${name}>([^<]*)</${name}>`).exec(body)?.[1] ?? '';

/** The e-mail address and password of HTTP's basic authentication. */
export const readCredentials = ({ request }: WireRequest): [string, string] => {
  const [, encoded = ''] = (request.headers.authorization ?? '').split(' ');
  const [email = '', ...password] = Buffer.from(encoded, 'base64').toString().split(':');
  return [email, password.join(':')];
};
