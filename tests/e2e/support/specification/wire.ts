import type { IncomingMessage, ServerResponse } from 'node:http';

/** A request of the page with its complete body. */
export type WireRequest = {
  query: URLSearchParams;
  /** the segments of the path behind the call's name, decoded */
  segments: string[];
  body: string;
  request: IncomingMessage;
};

/** A response of the specification server. `status` is 200 by default. */
export type WireAnswer = { type: string; text: string; status?: number };

const escapeXml = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');

/** An XML element with this markup, or with these fields; a field that is null is left out. */
export const renderElement = (name: string, content: string | Record<string, string | number | boolean | null>): string => {
  if (typeof content === 'string') return `<${name}>${content}</${name}>`;
  const fields = Object.entries(content).flatMap(([field, value]) =>
    value === null ? [] : [`<${field}>${escapeXml(String(value))}</${field}>`],
  );
  return `<${name}>${fields.join('')}</${name}>`;
};

export const toXmlAnswer = (text: string, status = 200): WireAnswer => ({
  type: 'text/xml',
  text: `<?xml version="1.0"?>\n${text}`,
  status,
});

/** JSON under a generic content type, as simple servers send it. */
export const toJsonAnswer = (value: unknown, status = 200): WireAnswer => ({
  type: 'text/plain',
  text: JSON.stringify(value),
  status,
});

export const toHtmlAnswer = (body: string, status = 200): WireAnswer => ({
  type: 'text/html',
  text: `<!doctype html><html lang="en"><title>Pay</title><main>${body}</main></html>`,
  status,
});

/** The answer to calls without a result, for which the specification names no body. */
export const emptyAnswer: WireAnswer = { type: 'text/xml', text: '', status: 200 };

export const unauthorized = toXmlAnswer(
  renderElement('Error', { StatusCode: 401, Status: 'Unauthorized', Message: 'Who are you?' }),
);
export const notFound = toHtmlAnswer('<h1>404 Not Found</h1>', 404);
export const createRefusal = (message: string): WireAnswer =>
  toXmlAnswer(renderElement('Error', { StatusCode: 409, Status: 'Refused', Message: message }));

export const sendAnswer = (response: ServerResponse, { type, text, status = 200 }: WireAnswer): void => {
  response.statusCode = status;
  response.setHeader('content-type', type).end(text);
};

/** The text of a field in an XML body of the page; empty if the field is missing. */
export const readField = (body: string, name: string): string => new RegExp(`<${name}>([^<]*)</${name}>`).exec(body)?.[1] ?? '';

/** Reads the e-mail address and password of a request's basic authentication (RFC 7617). */
export const readCredentials = ({ request }: WireRequest): [string, string] => {
  const [, encoded = ''] = (request.headers.authorization ?? '').split(' ');
  const [email = '', ...password] = Buffer.from(encoded, 'base64').toString().split(':');
  return [email, password.join(':')];
};
