import { expect, test } from 'vitest';
import { toPlain } from '../../machines/trace/plain.ts';
import { seededRandom } from '../../machines/paths/walk.ts';
import { createPseudonymizer } from '../../machines/trace/pseudonym.ts';

const redact = createPseudonymizer(seededRandom(20_260_401), new Map());
const pseudonymize = (value: Parameters<typeof redact.personal>[0]) => redact.personal(value);

test('the pseudonym of an e-mail address is another one at a reserved domain', () => {
  for (const email of ['reader@example.com', 'a.b+c@mail.shop.example.org', 'zoë@bücher.de']) {
    const pseudonym = pseudonymize(email);
    expect(pseudonym).toMatch(/^[^\s@]+@[\p{L}\d-]+\.example$/u);
    expect(pseudonym).not.toContain(email.split('@')[0]);
  }
});

test('a pseudonym keeps the length, case, digits and spaces of its text', () => {
  expect(pseudonymize('Harbour Light 42!')).toMatch(/^[A-Z][a-z]{6} [A-Z][a-z]{4} \d\d\*$/);
  expect(pseudonymize('4242 4242 4242 4242')).toMatch(/^(\d{4} ){3}\d{4}$/);
  expect(pseudonymize('罗琳 Ø')).toMatch(/^\p{L}{2} \p{L}$/u);
});

test('a text has the same pseudonym after a reload, and another one in another trace', () => {
  expect(pseudonymize('Ines Aldous')).toBe(pseudonymize('Ines Aldous'));
  const pseudonyms = new Map<string, string>();
  const first = createPseudonymizer(seededRandom(1), pseudonyms).personal('Ines Aldous');
  expect(
    createPseudonymizer(seededRandom(2), new Map(JSON.parse(JSON.stringify([...pseudonyms])) as [string, string][])).personal(
      'Ines Aldous',
    ),
  ).toBe(first);
  expect(createPseudonymizer(seededRandom(2), new Map()).personal('Ines Aldous')).not.toBe(first);
});

test('no text is its own pseudonym, at any length and with any characters', () => {
  for (const text of ['7', 'a', 'Ø', '🐻', 'देव', '٣']) {
    for (let seed = 0; seed < 50; seed += 1)
      expect(createPseudonymizer(seededRandom(seed), new Map()).personal(text)).not.toBe(text);
  }
});

test('passwords, codes, tokens and card numbers of any shape are replaced by one word', () => {
  const form = { password: '!!!???###', giftCode: 'AB-12', cardNumber: '4242', accessToken: '', remember: true };
  expect(pseudonymize({ form })).toEqual({
    form: { password: 'secret', giftCode: 'secret', cardNumber: 'secret', accessToken: '', remember: true },
  });
});

test('every text and number under pii is replaced, booleans are kept', () => {
  const value = { id: 't1', pii: { form: { name: 'Ines', year: 1984, agree: true, notes: ['by the sea', null] } } };
  const plain = toPlain(value, redact);
  expect(plain).toEqual({
    id: 't1',
    pii: {
      form: {
        name: expect.stringMatching(/^[A-Z][a-z]{3}$/) as string,
        year: expect.any(Number) as number,
        agree: true,
        notes: [expect.stringMatching(/^[a-z]{2} [a-z]{3} [a-z]{3}$/) as string, null],
      },
    },
  });
  expect(JSON.stringify(plain)).not.toMatch(/Ines|1984|by the sea/);
});

test('e-mail addresses and long secrets are replaced in any text, identifiers and words are kept', () => {
  const token = 'eyJ0aXRsZSI6IjEwMDEiLCJzdG9yZSI6ImhhcmJvdXIifQ.c2lnbmF0dXJlLW9mLXRoZS10b2tlbg';
  const id = '7f9c24e8-3b12-4fef-91e0-5d1c3c3a1b2c';
  const text = redact.text(`/media/${token}/one.mp3 for reader@example.com, order ${id}`);
  expect(text).not.toContain(token);
  expect(text).not.toContain('reader@');
  expect(text).toMatch(/^\/media\/[\w.-]+\/one\.mp3 for [a-z]+@[a-z]+\.example, order /);
  expect(text).toContain(id);
  for (const path of ['/title/purchase?titleid=1001', '/id:1001/a-very-long-title-of-a-book-in-3-volumes-and-a-map']) {
    expect(redact.text(path)).toBe(path);
  }
  expect(redact.text('/all?search=reader%40example.com&sort=title')).toMatch(
    /^\/all\?search=(?!reader)[a-z]{6}%40[a-z]{7}\.example&sort=title$/,
  );
  expect(redact.text('/signin?return=%2Fall%3Fsearch%3Djane.doe%2540mail.org')).toMatch(
    /^\/signin\?return=%2Fall%3Fsearch%3D[a-z]{4}\.[a-z]{3}%2540[a-z]{4}\.example$/,
  );
  const signature = '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b';
  expect(redact.text(signature)).not.toBe(signature);
  expect(redact.text(`1763740000-${signature}`)).not.toContain(signature);
});

test('a token has the same pseudonym alone, in a query, and in a nested query', () => {
  const token = 'pi_b4d3c49e446b2e438ac64e3f428d3d17';
  const pseudonym = redact.text(token);
  expect(pseudonym).not.toContain('b4d3c49e');
  const path = `/cart/checkout?transId=t1&intentId=${token}`;
  const signIn = `/signin?return=${encodeURIComponent(path)}&expired=1`;
  expect(redact.text(path)).toBe(path.replace(token, pseudonym));
  expect(redact.text(signIn)).toBe(signIn.replace(token, pseudonym));
  expect(redact.text(`/about?return=${encodeURIComponent(signIn)}`)).toBe(
    `/about?return=${encodeURIComponent(signIn)}`.replace(token, pseudonym),
  );
  // Escaped characters before a value do not count towards its length.
  const short = 'b4d3c49e446b2e438ac64e3f428d3d';
  expect(redact.text(`/signin?return=%2Fcheckout%3D${short}`)).toBe(`/signin?return=%2Fcheckout%3D${short}`);
});
