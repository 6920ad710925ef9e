import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { serveBuiltPages } from './built-pages.ts';

/**
 * A store server other than ours. It implements the specification alone and shares nothing with
 * `server/`: its responses are written by hand, as other vendors might serialise them, and it has
 * no call beyond the specification.
 */

type CatalogueWork = { id: number; name: string; type: number; price: string; extraFields?: string };

const works: CatalogueWork[] = [
  { id: 1, name: 'The Long Thaw', type: 1, price: '0' },
  // A title of an unknown type: the app leaves it out and shows the other titles.
  { id: 2, name: 'A Thing Apart', type: 99, price: '1' },
  { id: 3, name: 'Café in the Fog', type: 2, price: '7.5', extraFields: '<DurationSeconds>01:30:00</DurationSeconds>' },
  {
    id: 4,
    name: 'Low Water',
    type: 4,
    price: '12,50',
    extraFields: '<Pages>n/a</Pages><Shelf xmlns="urn:other"><Row>7</Row></Shelf>',
  },
];

/** A title with its fields in an unusual order, a price as in the specification, and no medium. */
const renderTitleXml = ({ id, name, type, price, extraFields = '' }: CatalogueWork): string =>
  `<Title>${extraFields}<Name>${name}</Name><TitlePrice>${price}</TitlePrice><CurrencySymbol>$</CurrencySymbol>` +
  `<TitleType>${type}</TitleType><TitleId>${id}</TitleId><PublishedDate>/Date(1700000000000)/</PublishedDate></Title>`;

const unauthorizedXml = '<Error><StatusCode>401</StatusCode><Status>Unauthorized</Status><Message>Who are you?</Message></Error>';
const basicCredentials = `Basic ${Buffer.from('reader@example.com:open sesame').toString('base64')}`;

type CallHandler = (query: URLSearchParams, request: IncomingMessage, response: ServerResponse) => void | Promise<void>;

export type OtherStore = {
  url: string;
  /** Completes the half-sent lists, and sends all later lists whole. */
  releaseLists: () => void;
  /** Removes every session. */
  forgetSessions: () => void;
  close: () => Promise<void>;
};

const sendXml = (response: ServerResponse, body: string, type = 'text/xml'): void => {
  response.setHeader('content-type', type).end(`\uFEFF<?xml version="1.0"?>\n${body}`);
};
/** Sends JSON under a generic content type, as simple servers do. */
const sendJson = (response: ServerResponse, value: unknown): void => {
  response.setHeader('content-type', 'text/plain').end(JSON.stringify(value));
};

const sendNotFound = (response: ServerResponse): void => {
  response.statusCode = 404;
  response.setHeader('content-type', 'text/html').end('<!doctype html><title>404 Not Found</title><center>nginx</center>');
};

/** Starts the store server on a free port, with the built pages beside its API. */
export const startOtherStore = async (): Promise<OtherStore> => {
  const tokens = new Set<string>();
  const owned = new Set<number>();
  const listRelease = Promise.withResolvers<void>();
  const isKnown = (query: URLSearchParams): boolean => tokens.has(query.get('accesstoken') ?? '');

  const handlers: Record<string, CallHandler> = {
    // Compressed XML with other element names; an expired token is refused in JSON, as by other
    // calls.
    'store/properties': (query, _, response) => {
      if (query.has('accesstoken') && !isKnown(query)) return sendJson(response, { Status: 401, Message: 'The token has died.' });
      const flags = '<EnableAudioTitle>True</EnableAudioTitle><EnableVideoTitle>1</EnableVideoTitle>';
      const body = `<?xml version="1.0" encoding="utf-16"?><Shop><ShelfName>Fernweh</ShelfName>${flags}<ShelfId>77</ShelfId></Shop>`;
      response.setHeader('content-encoding', 'gzip').setHeader('content-type', 'application/xml').end(gzipSync(body));
    },
    // This call is never answered.
    categories: () => undefined,
    // A list without a total, that arrives slowly, in an encoding that only its XML declaration
    // names.
    titles: async (query, _, response) => {
      const type = Number(query.get('titletype'));
      const searchText = query.get('search')?.toLowerCase() ?? '';
      const matches = works.filter((work) => (type === 0 || work.type === type) && work.name.toLowerCase().includes(searchText));
      response.setHeader('content-type', 'application/xml');
      response.write(
        Buffer.from('<?xml version="1.0" encoding="ISO-8859-1"?>\n<ArrayOfTitle xmlns:xsi="x" xsi:type="List">', 'latin1'),
      );
      const [first, ...remaining] = matches.map((work) => Buffer.from(renderTitleXml(work), 'latin1'));
      if (first) response.write(first);
      // A list page requests more titles than the landing page, and waits.
      if (Number(query.get('limit')) > 50) await listRelease.promise;
      response.end(Buffer.concat([...remaining, Buffer.from('</ArrayOfTitle>')]));
    },
    'user/signin': (_, { headers }, response) => {
      if (headers.authorization !== basicCredentials) return sendXml(response, unauthorizedXml);
      const idToken = `token-${tokens.size}-${Date.now()}`;
      tokens.add(idToken);
      sendJson(response, { idToken, emailId: 'reader@example.com', userId: 42 });
    },
    'user/validate': (query, _, response) => sendJson(response, { Valid: isKnown(query) ? 'True' : 'False', UserId: 42 }),
    'user/has-title': (query, _, response) => {
      if (!isKnown(query)) return sendXml(response, unauthorizedXml);
      // A title that the customer does not own is answered with 404.
      if (!owned.has(Number(query.get('titleid')))) return sendNotFound(response);
      sendJson(response, { HasTitle: 1 });
    },
    'purchase/free': (query, _, response) => {
      if (!isKnown(query)) return sendXml(response, unauthorizedXml);
      const titleId = Number(query.get('titleId'));
      owned.add(titleId);
      sendJson(response, { transId: 5, titleId, instanceId: titleId });
    },
    'purchase/info': (_, __, response) =>
      sendXml(response, '<Info><TransId>5</TransId><TitleId>1</TitleId><Name>The Long Thaw</Name><Amount>0.00</Amount></Info>'),
    'user/purchases': (query, _, response) => {
      if (!isKnown(query)) return sendXml(response, unauthorizedXml);
      if (owned.size === 0) return sendNotFound(response);
      const copies = works
        .filter(({ id }) => owned.has(id))
        .map((work) => ({ instanceId: work.id, title: toPurchaseFields(work) }));
      sendJson(response, { purchases: copies });
    },
    'subscription/status': (query, _, response) => {
      if (!isKnown(query)) return sendXml(response, unauthorizedXml);
      sendJson(response, { subscribed: 'False', data: { customer: 'reader@example.com', until: null } });
    },
  };

  const toPurchaseFields = ({ id, name, type }: CatalogueWork) => ({ titleId: id, name, titleType: type });

  const sendTitle = (id: number, response: ServerResponse): boolean => {
    const work = works.find((each) => each.id === id);
    if (work === undefined) return false;
    sendXml(
      response,
      `<s:Answer xmlns:s="urn:s">${renderTitleXml(work)}<Took>3</Took></s:Answer>`,
      'application/xml;charset=UTF-8',
    );
    return true;
  };

  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://localhost');
    if (pathname === '/config.json') return sendJson(response, { apiBase: '/v1', storeId: '77', storeParameter: 'storeid' });
    if (!pathname.startsWith('/v1/')) return serveBuiltPages(pathname, response);
    const call = pathname.slice('/v1/'.length);
    const handler = handlers[call];
    if (handler) return void handler(searchParams, request, response);
    const id = /^titles\/(\d+)$/.exec(call)?.[1] ?? (call === 'titles/isbn/9780306406157' ? '3' : '');
    if (!sendTitle(Number(id), response)) sendNotFound(response);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://localhost:${port}`,
    releaseLists: listRelease.resolve,
    forgetSessions: () => tokens.clear(),
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
};
