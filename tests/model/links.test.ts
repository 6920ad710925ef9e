import { describe, expect, test } from 'vitest';
import { containsLink } from '../../machines/model/store/links.ts';

describe('a text has a link', () => {
  test.each([
    'https://evil.example/x',
    'See HTTP://EVIL.EXAMPLE now',
    'ftp://evil.example',
    'myapp://open',
    'mailto:a@b',
    'www.evil',
    'evil.example/x',
    'Your gift is at evil.com.',
    'evil.com',
    'EVIL.COM',
    '(evil.co.uk)',
    'a1.io',
    '163.com',
    'bücher.example',
    'пример.рф',
    'भारत.भारत',
    'xn--e1afmkfd.xn--p1ai',
    'me@evil.example',
    'me@localhost',
    '10.0.0.1/login',
    '10.0.0.1:8080',
    'ｅｖｉｌ．ｃｏｍ',
    'evil\u200B.com',
    'evil.\u00ADcom',
    'evil․com',
    'ｗｗｗ．evil',
    'https：//evil',
    'https:evil',
    'HTTP:\\\\evil',
    'evil。com/pay',
    'evil｡com',
    'evil．com',
    'пример。рф',
    '163。com',
    '10。0。0。1/login',
  ])('a link is found in “%s”', (text) => {
    expect(containsLink(text)).toBe(true);
  });
});

describe('a text has no link', () => {
  test.each([
    '',
    'Happy birthday!\nYours, A.',
    'For you. Enjoy.',
    'J. R. R. Tolkien',
    'J.R.R. Tolkien',
    'Dr. No, Ph.D.',
    'Well… e.g. this, i.e. that',
    'And then...what?',
    'Read it by 24.12.2026, at 8.30 a.m.',
    'It cost 3.50 €',
    'Call 01.23.45.67.89',
    'Ann & Co.',
    '@ home',
    '祝你生日快乐。爱你的安',
    '我喜欢Colophon。祝你生日快乐。Ann',
    '見て。Annより',
    'Rufen Sie an: +49 30 901820',
    '¡Feliz cumpleaños! Te quiero.',
    'Read: chapter 3 / 4',
    'I ❤ you',
  ])('no link is found in “%s”', (text) => {
    expect(containsLink(text)).toBe(false);
  });
});

test('a text of 100,000 repetitions is searched in less than two seconds', () => {
  const startTime = performance.now();
  for (const repeatedText of ['a', '1.', 'a. ', '@ ', '.', '1.1.1 ', 'a+-', 'a。', '。'])
    expect(containsLink(` ${repeatedText.repeat(100_000)} `)).toBe(false);
  expect(performance.now() - startTime).toBeLessThan(2_000);
});
