// The habits of a framework that describes APIs, as one project uses it.
import type { Json } from '../../../openapi/json.ts';
import type { ApiAnswer, ApiOperation, ApiParameter, ApiValue } from './api-model.ts';
import type { Dialect, SchemaWriter } from './write-schema.ts';

export interface Framework {
  dialect: Dialect;
  /** Members of the description besides its paths and components. */
  head: Json;
  /** Members of `components`, or of the description in version 2.0, besides the schemas. */
  components?: Json;
  /** What stands before each path. */
  prefix: string;
  idOf?: (operation: ApiOperation, taken: ReadonlySet<string>) => string;
  /** Summary, description and tags. */
  textsOf: (operation: ApiOperation) => Json;
  /** The schema of an answer. */
  wrap: (body: ApiValue, operation: ApiOperation, writer: SchemaWriter) => Json;
  /** Whether an answer is described, and not only its status. */
  showsAnswer: (operation: ApiOperation) => boolean;
  /** The schema of an answer that is not described; undefined where it has none. */
  hiddenAnswer?: Json;
  /** The status that the description says, where that is not the one of the answer. */
  statusOf?: (answer: ApiAnswer) => number;
  descriptionOf?: (status: number, operation: ApiOperation) => string;
  requestTypes?: readonly string[];
  answerType?: string;
  /** Changes a body before it is written. */
  changeBody?: (body: ApiValue, operation: ApiOperation) => ApiValue;
  /** Whether the parameters in a path stand beside its operations. */
  hasPathItems?: boolean;
  /** How alternatives of a body are written; undefined where one body with all their members stands for them. */
  alternatives?: 'oneOf' | 'anyOf';
  bodyName?: (operation: ApiOperation) => string;
  /** Answers that are failures, by status. */
  failuresOf?: (operation: ApiOperation, writer: SchemaWriter) => Json;
  /** The member `security`, if any. */
  securityOf: (operation: ApiOperation) => Json;
  /** Whether `securityOf` tells session tokens from API keys; "nothing" where it does not even tell who needs one. */
  tellsAuth: 'kinds' | 'whether' | 'nothing';
  /** Writes the parameters of a query in another way than one by one. */
  writeQuery?: (operation: ApiOperation, writer: SchemaWriter) => Json[] | undefined;
  finishParameter?: (parameter: Json, given: ApiParameter) => Json;
  finishOperation?: (written: Json, operation: ApiOperation) => Json;
}
