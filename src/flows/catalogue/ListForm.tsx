import { useLingui } from '@lingui/react/macro';
import { useSelector } from '@xstate/react';
import type { FormEvent, ReactElement, ReactNode } from 'react';
import type { ActorRefFrom } from 'xstate';
import type { catalogueMachine } from '../../../machines/browsing/catalogue.ts';
import { checkboxParameters, listFields } from '../../../machines/model/catalogue/list-form.ts';
import { changeListPath } from '../../../machines/model/catalogue/list.ts';
import { HIDDEN_SECRET } from '../../../machines/model/account/after-sign-in.ts';
import { chakra } from '../../ui/chakra.ts';
import { readTyped } from '../../views/read-typed.ts';
import { getListOrder } from './list-order.ts';

type Props = { actor: ActorRefFrom<typeof catalogueMachine>; children?: ReactNode };

/** The id of the form that all controls of a list belong to. */
export const listFormId = 'list-form';

/** Hidden fields for the values of a parameter that have no checkbox of their own. */
export const HiddenValues = ({
  name,
  values,
}: {
  name: (typeof checkboxParameters)[number];
  values: readonly string[];
}): ReactNode => values.map((value) => <input key={value} type="hidden" form={listFormId} name={name} value={value} />);

const priceParameterNames = ['pricefrom', 'priceto', 'free'];

/**
 * The form of a list's controls; `children` are the price fields, where the shop shows prices.
 * Without scripts, or before hydration, the browser requests the filtered list by submitting it.
 * After hydration each control reports its own choice; only typed prices are read from the form.
 */
export const ListForm = ({ actor, children }: Props): ReactElement => {
  const { t } = useLingui();
  const route = useSelector(actor, ({ context }) => context.route);
  const query = useSelector(actor, ({ context }) => context.query);
  const hasSortOptions = useSelector(actor, ({ context }) => context.sortOptions.length > 0);
  const [path] = changeListPath(route, {}).split('?', 1);
  const prices = children === undefined ? [] : priceParameterNames;
  const controlledNames = new Set<string>([...checkboxParameters, ...prices, ...(hasSortOptions ? ['sort'] : []), 'after']);
  const otherParameters = Object.entries(route.query).filter(
    ([name, value]) => !controlledNames.has(name) && value !== HIDDEN_SECRET,
  );
  const { form, usualSort } = listFields;
  const usualSortEntries = query.sort === '' ? [[usualSort, getListOrder(query)] as const] : [];
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const { currentTarget } = event;
    actor.send({ type: 'price.submitted', from: readTyped(currentTarget, 'pricefrom'), to: readTyped(currentTarget, 'priceto') });
  };
  return (
    <chakra.form
      id={listFormId}
      aria-label={children === undefined ? undefined : t`Price`}
      action={path}
      // On going back, the browser would restore the choices of another list.
      autoComplete="off"
      data-event="price.submitted"
      onSubmit={submit}
      display={children === undefined ? 'none' : 'grid'}
      gridTemplateColumns="1fr 1fr"
      alignItems="end"
      gap={2}
      mt={2}
      css={{ '& input': { px: 2, minHeight: 10 } }}
    >
      {[[form.name, form.value] as const, ...usualSortEntries, ...otherParameters].map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      {children}
    </chakra.form>
  );
};
