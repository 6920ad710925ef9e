import { plural } from '@lingui/core/macro';
import { useLingui } from '@lingui/react/macro';
import type { ReactElement, ReactNode } from 'react';
import type { ActorRefFrom } from 'xstate';
import type { catalogueMachine } from '../../../machines/browsing/catalogue.ts';
import { listFields, type checkboxParameters } from '../../../machines/model/catalogue/list-form.ts';
import { formatCount } from '../../brand/facts.ts';
import { chakra } from '../../ui/chakra.ts';
import { VisuallyHidden } from '../../ui/VisuallyHidden.ts';
import { listFormId } from './ListForm.tsx';

const Row = chakra('label', {
  base: {
    display: 'flex',
    alignItems: 'center',
    gap: 2,
    minHeight: { base: '2.75rem', md: 8 },
    fontSize: 'sm',
    cursor: 'pointer',
    overflowWrap: 'anywhere',
    '&:hover': { color: 'accentInk' },
    '&:has(:disabled)': { color: 'inkMuted', cursor: 'default' },
    '& input': { flex: 'none', width: '1.125rem', height: '1.125rem', accentColor: 'var(--c-colors-accent)' },
  },
});

const Group = chakra('fieldset', {
  base: {
    m: 0,
    p: 0,
    pb: 4,
    minWidth: 0,
    border: 'none',
    borderBottom: '1px solid',
    borderBottomColor: 'line',
    '& legend': { p: 0, mb: 1, fontSize: 'md', fontWeight: 600 },
    '& ul': { listStyleType: 'none' },
    '& ul ul': { pl: 6 },
  },
});

/** A group of choices under its name. */
export const ChoiceGroup = ({ name, children }: { name: ReactNode; children: ReactNode }): ReactElement => (
  <Group>
    <legend>{name}</legend>
    {children}
  </Group>
);

type ChoiceProps = {
  actor: ActorRefFrom<typeof catalogueMachine>;
  /** A checkbox's parameter and value in the list's form; absent for a price's radio button. */
  field?: { name: (typeof checkboxParameters)[number]; value: string };
  chosen: boolean;
  /** The number of titles that the choice would leave; null if unknown. */
  count: number | null;
  /**
   * The changes to the URL's query when the choice is pressed; an empty value removes a parameter.
   */
  changes: Record<string, string>;
  children: ReactNode;
};

/**
 * A choice with the number of titles that it would leave. A choice that would leave no title can
 * only be removed.
 */
export const Choice = ({ actor, field, chosen, count: total, changes, children }: ChoiceProps): ReactElement => {
  const { t, i18n } = useLingui();
  const query = new URLSearchParams(changes).toString();
  const { name, value } = field ?? { name: listFields.set, value: query };
  return (
    <Row>
      <input
        type={field === undefined ? 'radio' : 'checkbox'}
        form={listFormId}
        name={name}
        value={value}
        checked={chosen}
        disabled={total === 0 && !chosen}
        data-event="filter.chosen"
        data-value={query}
        onChange={() => actor.send({ type: 'filter.chosen', changes })}
      />
      <chakra.span flex="1">{children}</chakra.span>
      {total === null ? null : (
        <>
          <chakra.span aria-hidden="true" color="inkMuted">
            {formatCount(total, i18n.locale)}
          </chakra.span>
          <VisuallyHidden>{t`${plural(total, { one: '# title', other: '# titles' })}`}</VisuallyHidden>
        </>
      )}
    </Row>
  );
};
