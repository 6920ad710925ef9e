import { act, screen } from '@testing-library/react';
import { useSyncExternalStore, type ReactElement } from 'react';
import { expect, test } from 'vitest';
import { ProblemNotice } from '../../src/views/ProblemNotice.tsx';
import { renderInShop } from '../support/views/show.tsx';

const refusedProblem = { kind: 'refused', code: 'taken', message: 'Taken.' } as const;

/** A form with its problem above it, once `tell` reports one; beside it the shop's search. */
const createForm = () => {
  let wrong = false;
  let changed = (): void => undefined;
  const Form = (): ReactElement => {
    const isWrong = useSyncExternalStore(
      (listener) => {
        changed = listener;
        return () => undefined;
      },
      () => wrong,
    );
    return (
      <>
        <form role="search">
          <button type="submit">Search</button>
        </form>
        <section>
          {isWrong ? <ProblemNotice problem={refusedProblem}>It is taken.</ProblemNotice> : null}
          <form>
            <button type="submit">Send</button>
          </form>
        </section>
      </>
    );
  };
  const tell = (): void => {
    wrong = true;
    changed();
  };
  return { Form, tell };
};

test.each([
  ['from a form’s button the focus moves to the form’s problem', 'Send', true],
  ['from another form’s button it does not', 'Search', false],
])('%s', (_, name, goes) => {
  const { Form, tell } = createForm();
  renderInShop(<Form />);
  const button = screen.getByRole('button', { name });
  button.focus();
  act(tell);
  const alert = screen.getByRole('alert');
  expect(document.activeElement).toBe(goes ? alert : button);
});
