import type { FlowInput } from '../../machines/flows/flow-input.ts';
import type { PathModel } from '../../machines/path-models/path-model.ts';

/** Whether the walk resumes an action that a visitor started before signing in. */
export const hasResumedAction = ({ input }: PathModel): boolean => (input as FlowInput).resume !== null;

/** For flows that a walk can begin with a resumed action: such a walk signs in by the page. */
export const startsSignedInUnlessResumed = (model: PathModel): boolean =>
  (model.input as FlowInput).signedIn && !hasResumedAction(model);
