import { expect, test } from 'vitest';
import { applied, withChange, type WishChange } from '../../machines/model/buying/wish-list.ts';

const wish = (titleId: string) => ({ titleId, savedAt: '' });

test('a change puts a title first, or takes it away; one that is saved stays where it is', () => {
  expect(applied([wish('1'), wish('2')], [{ titleId: '3', isSaved: true }])).toEqual([wish('3'), wish('1'), wish('2')]);
  expect(applied([wish('1'), wish('2')], [{ titleId: '2', isSaved: true }])).toEqual([wish('1'), wish('2')]);
  expect(applied([wish('1'), wish('2')], [{ titleId: '1', isSaved: false }])).toEqual([wish('2')]);
  expect(applied([], [{ titleId: '1', isSaved: false }])).toEqual([]);
});

test('of two changes of a title the later one counts', () => {
  const first = withChange<WishChange>([], { titleId: '1', isSaved: true });
  expect(withChange(first, { titleId: '1', isSaved: false })).toEqual([{ titleId: '1', isSaved: false }]);
});
