import { randomUUID } from 'node:crypto';
import { basicAuth, PASSWORD, signUpXml } from './customers.ts';

const STORE = 'harbour';
const elementTexts = (text: string, element: string) =>
  [...text.matchAll(new RegExp(`<${element}>([^<]*)</${element}>`, 'g'))].map((match) => match[1] ?? '');

/** A customer who uses a shop over the network. */
type ApiVisitor = {
  email: string;
  at(address: string): Promise<ApiVisitor>;
  library(): Promise<string[]>;
  takeFreeTitle(): Promise<void>;
};

function createVisitor(address: string, email: string, token: string): ApiVisitor {
  const get = async (path: string, query: Record<string, string>): Promise<string> => {
    const search = new URLSearchParams({ shelfid: STORE, accesstoken: token, ...query });
    const answer = await fetch(`${address}/api${path}?${search.toString()}`);
    return answer.text();
  };
  return {
    email,
    async at(other) {
      const answer = await fetch(`${other}/api/user/signin?shelfid=${STORE}&appid=web`, { headers: basicAuth(email, PASSWORD) });
      return createVisitor(other, email, elementTexts(await answer.text(), 'IdToken')[0] ?? '');
    },
    async library() {
      return (await get('/user/purchases', { limit: '100' }))
        .split('<Title>')
        .slice(1)
        .flatMap((text) => elementTexts(text, 'TitleId').slice(0, 1));
    },
    async takeFreeTitle() {
      const list = await get('/titles', { limit: '100' });
      const free = list
        .split('<Title>')
        .filter((text) => text.includes('<Free>true'))
        .flatMap((text) => elementTexts(text, 'TitleId'));
      await get('/purchase/free', { titleId: free[0] ?? '' });
    },
  };
}

/** A new customer of the demo store at that address. */
export async function signUpCustomer(address: string): Promise<ApiVisitor> {
  const email = `${randomUUID()}@example.org`;
  const answer = await fetch(`${address}/api/user/signup?shelfid=${STORE}&appid=web`, {
    method: 'POST',
    headers: { ...basicAuth(email, PASSWORD), 'content-type': 'text/xml' },
    body: signUpXml(email),
  });
  return createVisitor(address, email, elementTexts(await answer.text(), 'IdToken')[0] ?? '');
}
