import { assign, type EventObject } from 'xstate';
import { keepProblem } from './loadable.ts';
import type { FieldProblems } from './model/account/session.ts';
import type { Problem } from './model/problem.ts';

/** The part of a context in which a form is sent. */
export type FormContext<Form> = {
  fields: FieldProblems;
  problem: Problem | null;
  pii: { form: Form | null };
};

/** The actions of a machine that sends a form. The values are held while they are on their way. */
export const formActions = <Context extends FormContext<Form>, Event extends EventObject, Form>() => ({
  keepForm: assign<Context, Event, Form, Event, never>(
    ({ context }, form) => ({ pii: { ...context.pii, form }, fields: {}, problem: null }) as unknown as Partial<Context>,
  ),
  dropForm: assign<Context, Event, undefined, Event, never>(
    ({ context }) => ({ pii: { ...context.pii, form: null } }) as unknown as Partial<Context>,
  ),
  keepFields: keepFields<Context, Event>(),
  keepProblem: keepProblem<Context, Event>(),
});

/** Keeps the problem of each wrong field; the problem of the attempt before is over. */
export const keepFields = <Context extends Pick<FormContext<never>, 'fields' | 'problem'>, Event extends EventObject>() =>
  assign<Context, Event, FieldProblems, Event, never>((_, fields) => ({ fields, problem: null }) as Partial<Context>);

/** Reads the values of a form that was submitted, as the parameter of an action. */
const formIn = <Form>({ event }: { event: { pii: { form: Form } } }): Form => event.pii.form;

const fieldsIn = ({ event }: { event: { fields: FieldProblems } }): FieldProblems => event.fields;

type OnForm<Name extends string, Target extends string, Keep extends string> = {
  [Event in `${Name}.submitted`]: { target: Target; actions: { type: Keep; params: typeof formIn } };
} & {
  [Event in `${Name}.rejected`]: { actions: { type: 'keepFields'; params: typeof fieldsIn } };
};

/**
 * The transitions by a form, which sends `{name}.submitted` or, with its wrong fields,
 * `{name}.rejected`. `keep` is the action that keeps the values until `target` has sent them.
 */
export const onForm = <Name extends string, Target extends string, Keep extends string = 'keepForm'>(
  name: Name,
  target: Target,
  keep = 'keepForm' as Keep,
): OnForm<Name, Target, Keep> =>
  ({
    [`${name}.submitted`]: { target, actions: { type: keep, params: formIn } },
    [`${name}.rejected`]: { actions: { type: 'keepFields', params: fieldsIn } },
  }) as OnForm<Name, Target, Keep>;
