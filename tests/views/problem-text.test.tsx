import { describe, expect, test } from 'vitest';
import type { Problem } from '../../machines/model/problem.ts';
import { formatProblem } from '../../src/views/problem-text.ts';
import { refusalTexts } from '../../src/views/lazy/refusal-text.tsx';
import { renderInShop } from '../support/views/show.tsx';

const textOfProblem = (problem: Problem): string =>
  renderInShop(<p>{formatProblem(problem)}</p>).querySelector('p')?.textContent ?? '';
const textOfRefusal = (code: string, message = ''): string => textOfProblem({ kind: 'refused', code, message });

const problemsByKind: Record<Problem['kind'], Problem> = {
  unauthorized: { kind: 'unauthorized' },
  invalidStore: { kind: 'invalidStore' },
  offline: { kind: 'offline' },
  timeout: { kind: 'timeout' },
  http: { kind: 'http', status: 500, message: 'HTTP Error: 500' },
  refused: { kind: 'refused', code: 'email_taken', message: '' },
  malformed: { kind: 'malformed', call: 'title', field: 'Name', message: 'missing' },
};

describe('the text for a problem', () => {
  test('differs for every kind', () => {
    const all = Object.values(problemsByKind).map(textOfProblem);
    expect(new Set(all).size).toBe(all.length);
    for (const words of all) expect(words).toMatch(/^[A-Z].+\.(?:HTTP Error: 500)?$/);
  });

  test('differs between offline and refused', () => {
    expect(textOfProblem(problemsByKind.offline)).toContain('We can’t reach the shop');
    expect(textOfProblem({ kind: 'offline', deviceOffline: true })).toContain('You’re offline');
    expect(textOfProblem(problemsByKind.refused)).not.toContain('connection');
  });

  test('never shows a call or a field', () => {
    expect(textOfProblem(problemsByKind.malformed)).not.toMatch(/title|Name|missing/);
  });

  test('has a status below it, as a detail [S8.http-error]', () => {
    const shown = renderInShop(<p>{formatProblem(problemsByKind.http)}</p>);
    expect(shown.querySelector('small')?.textContent).toBe('HTTP Error: 500');
    expect(textOfProblem(problemsByKind.http)).toBe(
      'Something went wrong on our side. Please try again in a moment.HTTP Error: 500',
    );
  });

  test('has a JSON error below it, when its code is unknown [S8.json-error]', () => {
    expect(textOfRefusal('error', 'JSON Error: Too bad')).toBe('That didn’t work. Please try again.JSON Error: Too bad');
    expect(textOfRefusal('email_taken', 'JSON Error: Taken')).toMatch(/^There’s already an account/);
  });

  test.each([
    [404, 'couldn’t find'],
    [429, 'Too many attempts'],
    [503, 'our side'],
    [418, 'didn’t work'],
  ])('fits the status %i', (status, words) => {
    expect(textOfProblem({ kind: 'http', status, message: '' })).toContain(words);
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
  ])('covers the refusal %s', (code) => {
    expect(refusalTexts[code]).toBeDefined();
    expect(textOfRefusal(code, 'The server says so.')).not.toContain('The server');
  });

  test.each([
    ['card_declined', 'declined the card'],
    ['insufficient_funds', 'insufficient funds'],
    ['authentication_failed', 'couldn’t verify that it was you'],
    ['expired_card', 'expired'],
    ['a_new_reason', 'didn’t go through'],
  ])('says why a payment was declined: %s', (reason, words) => {
    expect(textOfRefusal('declined', reason)).toContain(words);
    expect(textOfRefusal('declined', reason)).toContain('You haven’t been charged');
  });

  test('promises that an unknown payment is not charged twice', () => {
    expect(textOfRefusal('payment_unknown')).toContain('won’t be charged twice');
  });

  test.each([
    [1, 'in a minute.'],
    [61, 'in 2 minutes.'],
    [3600, 'in 60 minutes.'],
    [5401, 'in 2 hours.'],
    [86_400, 'in 24 hours.'],
  ])('says when a rate limit that ends in %i seconds lets the customer try again', (retryAfterSeconds, words) => {
    const limited = { kind: 'refused', code: 'too_many_requests', message: '', retryAfterSeconds } as const;
    expect(textOfProblem(limited)).toBe(`Too many attempts. Please try again ${words}`);
  });

  test("falls back to the server's own sentence", () => {
    expect(textOfRefusal('gone_fishing', 'Come back on Monday.')).toBe('Come back on Monday.');
    expect(textOfRefusal('gone_fishing')).toContain('didn’t work');
  });
});
