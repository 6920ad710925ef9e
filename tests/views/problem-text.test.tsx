import { describe, expect, test } from 'vitest';
import type { Problem } from '../../machines/model/problem.ts';
import { problemText } from '../../src/views/problem-text.ts';
import { refusalTexts } from '../../src/views/late/refusal-text.tsx';
import { show } from '../support/views/show.tsx';

const said = (problem: Problem): string => show(<p>{problemText(problem)}</p>).querySelector('p')?.textContent ?? '';
const refused = (code: string, message = ''): string => said({ kind: 'refused', code, message });

const kinds: Record<Problem['kind'], Problem> = {
  unauthorized: { kind: 'unauthorized' },
  invalidStore: { kind: 'invalidStore' },
  offline: { kind: 'offline' },
  timeout: { kind: 'timeout' },
  http: { kind: 'http', status: 500, message: 'HTTP Error: 500' },
  refused: { kind: 'refused', code: 'email_taken', message: '' },
  malformed: { kind: 'malformed', call: 'title', field: 'Name', message: 'missing' },
};

describe('the words for a problem', () => {
  test('differ for every kind', () => {
    const all = Object.values(kinds).map(said);
    expect(new Set(all).size).toBe(all.length);
    for (const words of all) expect(words).toMatch(/^[A-Z].+\.(?:HTTP Error: 500)?$/);
  });

  test('say offline and refused differently', () => {
    expect(said(kinds.offline)).toContain('We can’t reach the shop');
    expect(said({ kind: 'offline', deviceOffline: true })).toContain('You’re offline');
    expect(said(kinds.refused)).not.toContain('connection');
  });

  test('never show a call or a field', () => {
    expect(said(kinds.malformed)).not.toMatch(/title|Name|missing/);
  });

  test('have a status below them, as a detail [S8.http-error]', () => {
    const shown = show(<p>{problemText(kinds.http)}</p>);
    expect(shown.querySelector('small')?.textContent).toBe('HTTP Error: 500');
    expect(said(kinds.http)).toBe('Something went wrong on our side. Please try again in a moment.HTTP Error: 500');
  });

  test('have an error of JSON below them, where its code says nothing [S8.json-error]', () => {
    expect(refused('error', 'JSON Error: Too bad')).toBe('That didn’t work. Please try again.JSON Error: Too bad');
    expect(refused('email_taken', 'JSON Error: Taken')).toMatch(/^There’s already an account/);
  });

  test.each([
    [404, 'couldn’t find'],
    [429, 'Too many attempts'],
    [503, 'our side'],
    [418, 'didn’t work'],
  ])('fit the status %i', (status, words) => {
    expect(said({ kind: 'http', status, message: '' })).toContain(words);
  });

  test.each([
    'not_found',
    'not_owned',
    'email_taken',
    'price_changed',
    'already_owned',
    'payment_unavailable',
    'payment_unknown',
    'conflict',
    'too_many_attempts',
    'weak_password',
    'common_password',
    'simple_password',
    'password_is_email',
    'password_is_shop',
  ])('know the refusal %s', (code) => {
    expect(refusalTexts[code]).toBeDefined();
    expect(refused(code, 'The server says so.')).not.toContain('The server');
  });

  test.each([
    ['card_declined', 'declined the card'],
    ['insufficient_funds', 'insufficient funds'],
    ['authentication_failed', 'couldn’t verify that it was you'],
    ['expired_card', 'expired'],
    ['a_new_reason', 'didn’t go through'],
  ])('say why a payment was declined: %s', (reason, words) => {
    expect(refused('declined', reason)).toContain(words);
    expect(refused('declined', reason)).toContain('You haven’t been charged');
  });

  test('promise that an unknown payment is not charged twice', () => {
    expect(refused('payment_unknown')).toContain('won’t be charged twice');
  });

  test.each([
    [1, 'in a minute.'],
    [61, 'in 2 minutes.'],
    [3600, 'in 60 minutes.'],
    [5401, 'in 2 hours.'],
    [86_400, 'in 24 hours.'],
  ])('say when a rate limit that ends in %i seconds lets the customer try again', (retryAfterSeconds, words) => {
    const limited = { kind: 'refused', code: 'too_many_requests', message: '', retryAfterSeconds } as const;
    expect(said(limited)).toBe(`Too many attempts. Please try again ${words}`);
  });

  test("fall back to the server's own sentence", () => {
    expect(refused('gone_fishing', 'Come back on Monday.')).toBe('Come back on Monday.');
    expect(refused('gone_fishing')).toContain('didn’t work');
  });
});
