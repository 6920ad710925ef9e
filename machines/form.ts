import type { FieldProblems } from './model/account/session.ts';

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
