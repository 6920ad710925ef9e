import { describe, expect, test } from 'vitest';
import type { Problem } from '../../machines/model/problem.ts';
import { formatProblem } from '../../src/views/problem-text.ts';
import { refusalTexts } from '../../src/views/lazy/refusal-text.tsx';
import { renderInShop } from '../support/views/show.tsx';

const renderProblem = (problem: Problem): string =>
  renderInShop(<p>{formatProblem(problem)}</p>).querySelector('p')?.textContent ?? '';
const renderRefusal = (code: string, message = ''): string => renderProblem({ kind: 'refused', code, message });

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
  test('the text for a problem differs for every kind', () => {
    const texts = Object.values(problemsByKind).map(renderProblem);
    expect(new Set(texts).size).toBe(texts.length);
    for (const expectedText of texts) expect(expectedText).toMatch(/^[A-Z].+\.(?:HTTP Error: 500)?$/);
  });

  test('the text for a problem differs between the shop, the device and a refusal', () => {
    expect(renderProblem(problemsByKind.offline)).toContain('We can’t reach the shop');
    expect(renderProblem({ kind: 'offline', deviceOffline: true })).toContain('You’re offline');
    expect(renderProblem(problemsByKind.refused)).not.toContain('connection');
  });

  test('the text for a malformed response shows neither the call nor the field', () => {
    expect(renderProblem(problemsByKind.malformed)).not.toMatch(/title|Name|missing/);
  });

  test('the text for an HTTP failure has the status below it, as a detail [S8.http-error]', () => {
    const container = renderInShop(<p>{formatProblem(problemsByKind.http)}</p>);
    expect(container.querySelector('small')?.textContent).toBe('HTTP Error: 500');
    expect(renderProblem(problemsByKind.http)).toBe(
      'Something went wrong on our side. Please try again in a moment.HTTP Error: 500',
    );
  });

  test('the text for an unknown code has the JSON error below it [S8.json-error]', () => {
    expect(renderRefusal('error', 'JSON Error: Too bad')).toBe('That didn’t work. Please try again.JSON Error: Too bad');
    expect(renderRefusal('email_taken', 'JSON Error: Taken')).toMatch(/^There’s already an account/);
  });

  test.each([
    [404, 'couldn’t find'],
    [429, 'Too many attempts'],
    [503, 'our side'],
    [418, 'didn’t work'],
  ])('the text for an HTTP failure fits the status %i', (status, expectedText) => {
    expect(renderProblem({ kind: 'http', status, message: '' })).toContain(expectedText);
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
  ])('the refusal %s has its own text', (code) => {
    expect(refusalTexts[code]).toBeDefined();
    expect(renderRefusal(code, 'The server says so.')).not.toContain('The server');
  });

  test.each([
    ['card_declined', 'declined the card'],
    ['insufficient_funds', 'insufficient funds'],
    ['authentication_failed', 'couldn’t verify that it was you'],
    ['expired_card', 'expired'],
    ['a_new_reason', 'didn’t go through'],
  ])('the text for a declined payment gives the reason: %s', (reason, expectedText) => {
    expect(renderRefusal('declined', reason)).toContain(expectedText);
    expect(renderRefusal('declined', reason)).toContain('You haven’t been charged');
  });

  test('the text for an unknown payment promises that it is not charged twice', () => {
    expect(renderRefusal('payment_unknown')).toContain('won’t be charged twice');
  });

  test.each([
    [1, 'in a minute.'],
    [61, 'in 2 minutes.'],
    [3600, 'in 60 minutes.'],
    [5401, 'in 2 hours.'],
    [86_400, 'in 24 hours.'],
  ])('the text for a rate limit that ends in %i seconds says when to try again', (retryAfterSeconds, expectedText) => {
    const rateLimit = { kind: 'refused', code: 'too_many_requests', message: '', retryAfterSeconds } as const;
    expect(renderProblem(rateLimit)).toBe(`Too many attempts. Please try again ${expectedText}`);
  });

  test('the text for an unknown refusal is the server’s own sentence', () => {
    expect(renderRefusal('gone_fishing', 'Come back on Monday.')).toBe('Come back on Monday.');
    expect(renderRefusal('gone_fishing')).toContain('didn’t work');
  });
});
