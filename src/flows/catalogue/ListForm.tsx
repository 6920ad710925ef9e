import { useLingui } from '@lingui/react/macro';
import { useSelector } from '@xstate/react';
import type { FormEvent, ReactElement, ReactNode } from 'react';
import type { ActorRefFrom } from 'xstate';
import type { catalogueMachine } from '../../../machines/browsing/catalogue.ts';
import { checkedParameters, listFields } from '../../../machines/model/catalogue/list-form.ts';
import { pathWith } from '../../../machines/model/catalogue/list.ts';
import { hidden } from '../../../machines/model/account/after-sign-in.ts';
import { chakra } from '../../ui/chakra.ts';
import { typedIn } from '../../views/typed-in.ts';
import { orderOf } from './list-order.ts';

type Props = { actor: ActorRefFrom<typeof catalogueMachine>; children?: ReactNode };

/** The id of the form that all controls of a list belong to. */
export const listFormId = 'list-form';

/** Values of a parameter that have no checkbox of their own. */
export const Kept = ({ name, values }: { name: (typeof checkedParameters)[number]; values: readonly string[] }): ReactNode =>
  values.map((value) => <input key={value} type="hidden" form={listFormId} name={name} value={value} />);

const priceParameters = ['pricefrom', 'priceto', 'free'];

/**
 * The form of a list's controls, with the prices that are typed in it. Before the program comes,
 * and without it, the browser requests the chosen list by this form. The program receives each
 * choice from its own control, so that it takes typed prices alone from the form.
 */
export const ListForm = ({ actor, children }: Props): ReactElement => {
  const { t } = useLingui();
  const route = useSelector(actor, ({ context }) => context.route);
  const query = useSelector(actor, ({ context }) => context.query);
  const hasOrders = useSelector(actor, ({ context }) => context.sortOptions.length > 0);
  const [path] = pathWith(route, {}).split('?', 1);
  const prices = children === undefined ? [] : priceParameters;
  const controlled = new Set<string>([...checkedParameters, ...prices, ...(hasOrders ? ['sort'] : []), 'after']);
  const others = Object.entries(route.query).filter(([name, value]) => !controlled.has(name) && value !== hidden);
  const { form, usualSort } = listFields;
  const usual = query.sort === '' ? [[usualSort, orderOf(query)] as const] : [];
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const { currentTarget } = event;
    actor.send({ type: 'price.submitted', from: typedIn(currentTarget, 'pricefrom'), to: typedIn(currentTarget, 'priceto') });
  };
  return (
    <chakra.form
      id={listFormId}
      aria-label={children === undefined ? undefined : t`Price`}
      action={path}
      // A browser that comes back to the page would put choices of another list into it.
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
      {[[form.name, form.value] as const, ...usual, ...others].map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      {children}
    </chakra.form>
  );
};
