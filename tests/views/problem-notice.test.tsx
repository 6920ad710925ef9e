import { act, screen } from '@testing-library/react';
import { useSyncExternalStore, type ReactElement } from 'react';
import { expect, test } from 'vitest';
import { ProblemNotice } from '../../src/views/ProblemNotice.tsx';
import { renderInShop } from '../support/views/show.tsx';

const refusedProblem = { kind: 'refused', code: 'taken', message: 'Taken.' } as const;

/** Creates a form beside the shop's search; `reportProblem` shows a problem above the form. */
const createForm = () => {
  let hasProblem = false;
  let notify = (): void => undefined;
  const Form = (): ReactElement => {
    const isWrong = useSyncExternalStore(
      (listener) => {
        notify = listener;
        return () => undefined;
      },
      () => hasProblem,
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
  const reportProblem = (): void => {
    hasProblem = true;
    notify();
  };
  return { Form, reportProblem };
};

test.each([
  ['from a form’s button the focus moves to the problem of the form', 'Send', true],
  ['from another form’s button the focus does not move', 'Search', false],
])('%s', (_, name, movesFocus) => {
  const { Form, reportProblem } = createForm();
  renderInShop(<Form />);
  const button = screen.getByRole('button', { name });
  button.focus();
  act(reportProblem);
  const alert = screen.getByRole('alert');
  expect(document.activeElement).toBe(movesFocus ? alert : button);
});
