// What a style is: how one framework describes an API.
import type { Profile } from '../../../openapi/profile.ts';
import type { Random } from '../../../openapi/random-profile.ts';
import type { Rename } from './deployment-operations.ts';
import type { Spelling } from './field-list.ts';
import type { Framework } from './framework.ts';

export interface Style {
  /** The deployment under whose paths the framework would run, where those of the profile would not do. */
  adapt?: (profile: Profile, random: Random) => Profile;
  /** What the framework calls the parameters in paths. */
  rename: (random: Random) => Rename;
  /** The framework as one project uses it. */
  framework: (project: Project) => Framework;
}

interface Project {
  random: Random;
  spelling: Spelling;
  /** Its origin, such as "https://api.example.com", without the prefix "/api/v1". */
  origin: string;
}
