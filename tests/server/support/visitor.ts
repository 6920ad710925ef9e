import { randomUUID } from 'node:crypto';
import { basic, PASSWORD, signUpDocument } from './customers.ts';

const STORE = 'harbour';
const all = (text: string, element: string) =>
  [...text.matchAll(new RegExp(`<${element}>([^<]*)</${element}>`, 'g'))].map((match) => match[1] ?? '');

/** A customer who speaks with a shop over the network. */
type Visitor = {
  email: string;
  at(address: string): Promise<Visitor>;
  library(): Promise<string[]>;
  takeFree(): Promise<void>;
};

function visitor(address: string, email: string, token: string): Visitor {
  const get = async (path: string, query: Record<string, string>): Promise<string> => {
    const search = new URLSearchParams({ shelfid: STORE, accesstoken: token, ...query });
    const answer = await fetch(`${address}/api${path}?${search.toString()}`);
    return answer.text();
  };
  return {
    email,
    async at(other) {
      const answer = await fetch(`${other}/api/user/signin?shelfid=${STORE}&appid=web`, { headers: basic(email, PASSWORD) });
      return visitor(other, email, all(await answer.text(), 'IdToken')[0] ?? '');
    },
    async library() {
      return (await get('/user/purchases', { limit: '100' }))
        .split('<Title>')
        .slice(1)
        .flatMap((text) => all(text, 'TitleId').slice(0, 1));
    },
    async takeFree() {
      const list = await get('/titles', { limit: '100' });
      const free = list
        .split('<Title>')
        .filter((text) => text.includes('<Free>true'))
        .flatMap((text) => all(text, 'TitleId'));
      await get('/purchase/free', { titleId: free[0] ?? '' });
    },
  };
}

/** A new customer of the demo store at that address. */
export async function customerAt(address: string): Promise<Visitor> {
  const email = `${randomUUID()}@example.org`;
  const answer = await fetch(`${address}/api/user/signup?shelfid=${STORE}&appid=web`, {
    method: 'POST',
    headers: { ...basic(email, PASSWORD), 'content-type': 'text/xml' },
    body: signUpDocument(email),
  });
  return visitor(address, email, all(await answer.text(), 'IdToken')[0] ?? '');
}
