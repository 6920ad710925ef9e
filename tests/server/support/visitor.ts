import { randomUUID } from 'node:crypto';
import { basicAuth, PASSWORD, signUpXml } from './customers.ts';

const STORE = 'harbour';
const readElements = (text: string, element: string) =>
  [...text.matchAll(new RegExp(`<${element}>([^<]*)</${element}>`, 'g'))].map((match) => match[1] ?? '');

/** A customer who uses a shop over the network. */
type ApiVisitor = {
  email: string;
  signInAt(address: string): Promise<ApiVisitor>;
  fetchLibrary(): Promise<string[]>;
  takeFreeTitle(): Promise<void>;
};

function createVisitor(address: string, email: string, token: string): ApiVisitor {
  const get = async (path: string, query: Record<string, string>): Promise<string> => {
    const search = new URLSearchParams({ shelfid: STORE, accesstoken: token, ...query });
    const response = await fetch(`${address}/api${path}?${search.toString()}`);
    return response.text();
  };
  return {
    email,
    async signInAt(otherAddress) {
      const response = await fetch(`${otherAddress}/api/user/signin?shelfid=${STORE}&appid=web`, {
        headers: basicAuth(email, PASSWORD),
      });
      return createVisitor(otherAddress, email, readElements(await response.text(), 'IdToken')[0] ?? '');
    },
    async fetchLibrary() {
      return (await get('/user/purchases', { limit: '100' }))
        .split('<Title>')
        .slice(1)
        .flatMap((text) => readElements(text, 'TitleId').slice(0, 1));
    },
    async takeFreeTitle() {
      const titlesXml = await get('/titles', { limit: '100' });
      const freeTitleIds = titlesXml
        .split('<Title>')
        .filter((text) => text.includes('<Free>true'))
        .flatMap((text) => readElements(text, 'TitleId'));
      await get('/purchase/free', { titleId: freeTitleIds[0] ?? '' });
    },
  };
}

/** Signs up a new customer of the demo store, at the shop with that URL. */
export async function signUpCustomer(address: string): Promise<ApiVisitor> {
  const email = `${randomUUID()}@example.org`;
  const response = await fetch(`${address}/api/user/signup?shelfid=${STORE}&appid=web`, {
    method: 'POST',
    headers: { ...basicAuth(email, PASSWORD), 'content-type': 'text/xml' },
    body: signUpXml(email),
  });
  return createVisitor(address, email, readElements(await response.text(), 'IdToken')[0] ?? '');
}
