import { assign, type EventObject } from 'xstate';
import { keepProblem } from './loadable.ts';
import type { FieldProblems } from './model/account/session.ts';
import type { Problem } from './model/problem.ts';

/** The context fields that a machine needs to submit a form. */
export type FormContext<Form> = {
  fields: FieldProblems;
  problem: Problem | null;
  pii: { form: Form | null };
};

/**
 * The actions of a machine that submits a form, which holds the values only until the request
 * settles.
 */
export const createFormActions = <Context extends FormContext<Form>, Event extends EventObject, Form>() => ({
  keepForm: assign<Context, Event, Form, Event, never>(
    ({ context }, form) => ({ pii: { ...context.pii, form }, fields: {}, problem: null }) as unknown as Partial<Context>,
  ),
  dropForm: assign<Context, Event, undefined, Event, never>(
    ({ context }) => ({ pii: { ...context.pii, form: null } }) as unknown as Partial<Context>,
  ),
  keepFields: keepFields<Context, Event>(),
  keepProblem: keepProblem<Context, Event>(),
});

/** Creates the action that stores the problems of invalid fields and clears the last problem. */
export const keepFields = <Context extends Pick<FormContext<never>, 'fields' | 'problem'>, Event extends EventObject>() =>
  assign<Context, Event, FieldProblems, Event, never>((_, fields) => ({ fields, problem: null }) as Partial<Context>);

/** Reads the values of a submitted form, as the parameter of an action. */
const getForm = <Form>({ event }: { event: { pii: { form: Form } } }): Form => event.pii.form;

const getFields = ({ event }: { event: { fields: FieldProblems } }): FieldProblems => event.fields;

type FormTransition<Name extends string, Target extends string, Keep extends string> = {
  [Event in `${Name}.submitted`]: { target: Target; actions: { type: Keep; params: typeof getForm } };
} & {
  [Event in `${Name}.rejected`]: { actions: { type: 'keepFields'; params: typeof getFields } };
};

/**
 * The transitions of a form, which sends `{name}.submitted`, or `{name}.rejected` with its invalid
 * fields. `keep` is the action that stores the values until the state `target` has sent them.
 */
export const onForm = <Name extends string, Target extends string, Keep extends string = 'keepForm'>(
  name: Name,
  target: Target,
  keep = 'keepForm' as Keep,
): FormTransition<Name, Target, Keep> =>
  ({
    [`${name}.submitted`]: { target, actions: { type: keep, params: getForm } },
    [`${name}.rejected`]: { actions: { type: 'keepFields', params: getFields } },
  }) as FormTransition<Name, Target, Keep>;
