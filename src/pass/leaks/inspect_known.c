/*
 * inspect_known: references by which Android, what phone makers added to it, or a library is known to leak.
 *
 * Facts: the public bug trackers of Android and of LeakCanary.
 */
#include "config.h"

#include <string.h>

#include "inspect.h"

#define NAME(text) text, sizeof text - 1

/* field NULL: any; a class that ends with a dot stands for all classes of the package. */
static const struct known {
	const char	*class;
	size_t		 n;		/* bytes of it */
	const char	*field, *note;
} known[] = {
	{ NAME("android.accounts.AccountManager$AmsTask$Response"), "this$1",
	    "another process holds it, and so the Activity that was given to AccountManager; give it none" },
	{ NAME("android.animation.AnimationHandler"), "mAnimatorRequestors",
	    "the animation handler of Android 13 keeps windows after they were closed" },
	{ NAME("android.animation.LayoutTransition$1"), "val$parent",
	    "up to Android 5.1 a layout transition keeps its parent until the window is closed" },
	{ NAME("android.app.Activity$1"), "this$0",
	    "in Android 10 another process keeps a callback of an Activity that was left with Back; "
	    "call finishAfterTransition() there" },
	{ NAME("android.app.ActivityManager"), "mContext",
	    "a static that Samsung added keeps the first Activity" },
	{ NAME("android.app.ActivityThread"), "mNewActivities",
	    "kept until the main thread is idle" },
	{ NAME("android.app.ActivityThread$ActivityClientRecord"), "nextIdle",
	    "kept until the main thread is idle" },
	{ NAME("android.app.ActivityTransitionState"), "mExitingToView",
	    "in Android 9 and 10 a shared element transition keeps its view" },
	{ NAME("android.app.ApplicationPackageManager$HasSystemFeatureQuery"), "this$0",
	    "in previews of Android 11 a cached query keeps the context" },
	{ NAME("android.app.ExtendedStatusBarManager"), "mContext",
	    "a class that Sharp added keeps a context" },
	{ NAME("android.app.Instrumentation"), "mRecommendActivity",
	    "a static that Meizu added keeps an Activity" },
	{ NAME("android.app.SemAppIconSolution"), "mContext",
	    "a singleton that Samsung added keeps a context" },
	{ NAME("android.app.admin.DevicePolicyManager$SettingsObserver"), "this$0",
	    "an observer that Motorola added keeps the context of DevicePolicyManager" },
	{ NAME("android.app.assist.AssistStructure$ViewNodeText"), "mText",
	    "the assistant keeps texts with spans that lead to views" },
	{ NAME("android.appwidget.AppWidgetHost$Callbacks"), "this$0",
	    "up to Android 5.0 another process holds the callbacks of an AppWidgetHost" },
	{ NAME("android.companion.CompanionDeviceService$Stub"), "this$0",
	    "in Android 12 another process keeps the service after its end" },
	{ NAME("android.gestureboost.GestureBoostManager"), "mContext",
	    "a singleton that Huawei added keeps the first context" },
	{ NAME("android.hardware.SystemSensorManager"), "mAppContextImpl",
	    "a static that phone makers added keeps the first context; use the application's" },
	{ NAME("android.hardware.biometrics.BiometricPrompt"), "mFingerprintManager",
	    "in Android 9 a prompt keeps a context by its FingerprintManager" },
	{ NAME("android.hardware.input.InputManager"), "mLateInitContext",
	    "the singleton of Android 13 keeps the first context" },
	{ NAME("android.media.AudioManager"), "mContext_static",
	    "a static that Samsung added keeps an Activity" },
	{ NAME("android.media.AudioManager$1"), "this$0",
	    "up to Android 5.1 AudioManager keeps the context that asked for audio focus; use the application's" },
	{ NAME("android.media.MediaScannerConnection"), "mContext",
	    "up to Android 5.1 scanFile() keeps its context until the service answers; use the application's" },
	{ NAME("android.media.projection.MediaProjection$MediaProjectionCallback"), "this$0",
	    "another process holds the callback, and so the context of the MediaProjection" },
	{ NAME("android.media.session.MediaSessionLegacyHelper"), "sInstance",
	    "in Android 5.0 the singleton keeps the first context; create it early with the application's" },
	{ NAME("android.net.ConnectivityManager"), "sInstance",
	    "up to Android 6 the singleton keeps the first context; create it early with the application's" },
	{ NAME("android.net.ConnectivityManager$CallbackHandler"), "this$0",
	    "in Android 13 a static handler keeps the context of a ConnectivityManager; use the application's" },
	{ NAME("android.nfc.cardemulation.HostApduService$MsgHandler"), "this$0",
	    "its handler outlives the service" },
	{ NAME("android.os.PerfMonitor"), "mLastCallback",
	    "a static that OnePlus added keeps the last callback" },
	{ NAME("android.os.PersonaManager"), "mContext",
	    "a class that Samsung added keeps an Activity" },
	{ NAME("android.os.UserManager"), "mContext",
	    "up to Android 7 the singleton keeps the first context; create it early with the application's" },
	{ NAME("android.sec.clipboard.ClipboardExManager"), "mContext",
	    "a class that Samsung added keeps a context for another process" },
	{ NAME("android.sec.clipboard.ClipboardExManager"), "mPersonaManager",
	    "a class that Samsung added keeps a context for another process" },
	{ NAME("android.sec.clipboard.ClipboardUIManager"), "mContext",
	    "a singleton that Samsung added keeps the first context" },
	{ NAME("android.speech.SpeechRecognizer$InternalListener"), "this$0",
	    "up to Android 4.4 the listener keeps the context of a SpeechRecognizer" },
	{ NAME("android.speech.tts.TextToSpeech"), "mContext",
	    "shutdown() does not give up the context; use the application's" },
	{ NAME("android.speech.tts.TtsEngines"), "mContext",
	    "shutdown() does not give up the context; use the application's" },
	{ NAME("android.text.TextLine"), "sCached",
	    "up to Android 5.1 the pool of text lines keeps texts with spans that lead to views" },
	{ NAME("android.text.method.TextKeyListener"), "mContext",
	    "a field that Razer added keeps an Activity" },
	{ NAME("android.view.ViewConfiguration"), "mContext",
	    "a field that Samsung added keeps an Activity" },
	{ NAME("android.view.ViewGroup"), "mCurrentDragChild",
	    "in Android 10 and 11 a group keeps the view that was dragged last" },
	{ NAME("android.view.ViewGroup"), "mPreSortedChildren",
	    "in Android 11 a group keeps a list of children that it has done with" },
	{ NAME("android.view.ViewGroup$ViewLocationHolder"), "mRoot",
	    "in Android 9 a pooled object keeps the root of a view hierarchy" },
	{ NAME("android.view.accessibility.AccessibilityNodeIdManager"), "mIdsToViews",
	    "in Android 10 views that were detached before they were attached stay there" },
	{ NAME("android.view.accessibility.AccessibilityNodeInfo"), "mOriginalText",
	    "in Android 8 pooled nodes keep texts with spans that lead to views" },
	{ NAME("android.view.inputmethod.InputMethodManager"), "mCurRootView", "kept until another window gets the keyboard" },
	{ NAME("android.view.inputmethod.InputMethodManager"), "mCurrentInputConnection",
	    "kept until another view gets the keyboard" },
	{ NAME("android.view.inputmethod.InputMethodManager"), "mImeInsetsConsumer",
	    "not given up with its window" },
	{ NAME("android.view.inputmethod.InputMethodManager"), "mLastFocusView",
	    "a field that LG added keeps the view that had the focus last" },
	{ NAME("android.view.inputmethod.InputMethodManager"), "mLastSrvView",
	    "a field that Huawei added keeps the view that had the keyboard last" },
	{ NAME("android.view.inputmethod.InputMethodManager"), "mNextServedView",
	    "kept until another view gets the keyboard" },
	{ NAME("android.view.inputmethod.InputMethodManager"), "mServedInputConnection",
	    "kept until another view gets the keyboard" },
	{ NAME("android.view.inputmethod.InputMethodManager"), "mServedView",
	    "kept until another view gets the keyboard" },
	{ NAME("android.view.textclassifier."), NULL,
	    "the text classifier keeps the context it was got from" },
	{ NAME("android.view.textservice.SpellCheckerSession$1"), "this$0",
	    "up to Android 7 a session that is closed before it is connected keeps its view" },
	{ NAME("android.widget.AccessibilityIterators$LineTextSegmentIterator"), "mLayout",
	    "in Android 8.1 a shared iterator keeps the text layout of a view" },
	{ NAME("android.widget.ActivityChooserModel"), "mActivityChoserModelPolicy",
	    "a static keeps the policy that was set last, often an Activity" },
	{ NAME("android.support.v7.internal.widget.ActivityChooserModel"), "mActivityChoserModelPolicy",
	    "a static keeps the policy that was set last, often an Activity" },
	{ NAME("android.widget.BubblePopupHelper"), "sHelper",
	    "a static that LG added keeps the view that had the focus last" },
	{ NAME("android.widget.Editor$Blink"), "this$0",
	    "up to Android 6 the blinking cursor of a closed dialog keeps its view for a moment" },
	{ NAME("android.widget.Editor$EasyEditSpanController"), "this$0",
	    "up to Android 4.4 the saved state of a text keeps its view" },
	{ NAME("android.widget.Editor$SpanController"), "this$0",
	    "up to Android 4.4 the saved state of a text keeps its view" },
	{ NAME("android.widget.Magnifier$InternalPopupWindow"), "mCallback",
	    "in Android 9 a frame callback keeps the magnifier of a text" },
	{ NAME("android.widget.SpellChecker"), "mTextView",
	    "a spell checker that waits keeps its view" },
	{ NAME("android.widget.SpellChecker$1"), "this$0",
	    "in Android 5.1 a spell checker that waits keeps its view" },
	{ NAME("android.widget.TextView"), "mLastHoveredView",
	    "a static that Samsung added keeps the view that was hovered last" },
	{ NAME("android.widget.TextView"), "mTargetView",
	    "a static that Samsung added keeps a view" },
	{ NAME("android.widget.TextView$IClipboardDataPasteEventImpl"), "this$0",
	    "a class that Samsung added keeps its view for another process" },
	{ NAME("android.widget.Toast$TN"), NULL,
	    "another process keeps a toast until it was shown" },
	{ NAME("android.window.WindowOnBackInvokedDispatcher$OnBackInvokedCallbackWrapper"), "mCallback",
	    "in previews of Android 13 another process keeps the callback of a closed window" },
	{ NAME("com.android.internal.policy.BackdropFrameRenderer"), "mDecorView",
	    "in Android 7 and 8.0 the renderer of a resized window keeps it" },
	{ NAME("com.android.internal.policy.MultiWindowDecorSupport"), "mWindow",
	    "a class that Samsung added keeps a window" },
	{ NAME("com.android.org.chromium.android_webview.AwResource"), "sResources",
	    "a static keeps the resources of an Activity" },
	{ NAME("com.facebook.flipper.plugins.inspector.descriptors.ApplicationDescriptor"), "editedDelegates",
	    "Flipper keeps windows after they were closed" },
	{ NAME("com.lge.systemservice.core.LGContext"), "mContext",
	    "a singleton that LG added keeps the first context" },
	{ NAME("com.lge.systemservice.core.SmartCoverManager"), "mContext",
	    "a class that LG added keeps a context for another process" },
	{ NAME("com.nvidia.ControllerMapper.MapperClient$ServiceClient"), "this$0",
	    "a class that NVIDIA added keeps the context of a MapperClient" },
	{ NAME("com.oneplus.util.OemSceneCallBlocker"), "sContext",
	    "a static that OnePlus added keeps an Activity" },
	{ NAME("com.samsung.android.emergencymode.SemEmergencyManager"), "mContext",
	    "a singleton that Samsung added keeps the first context" },
	{ NAME("com.samsung.android.knox.SemPersonaManager"), "mContext",
	    "a class that Samsung added keeps a context" },
	{ NAME("com.samsung.android.smartclip.SpenGestureManager"), "mContext",
	    "a static that Samsung added keeps an Activity" }
};

static bool
class_fits(const struct known *k, struct str name)
{
	if (k->class[k->n - 1] == '.' && name.n > k->n)
		name.n = k->n;
	return heap_same_name(name, (struct str){ k->class, k->n });
}

bool
leak_known_class(const struct heap *h, uint32_t class)
{
	struct str name = class_text(h, class);

	for (size_t i = 0; i < NELEM(known); i++)
		if (class_fits(&known[i], name))
			return true;
	return false;
}

const char *
leak_known_reference(const struct heap *h, uint32_t class, struct str field)
{
	struct str name = class_text(h, class);

	for (size_t i = 0; i < NELEM(known); i++)
		if (class_fits(&known[i], name) &&
		    (known[i].field == NULL ? field.n > 0 : str_eq(str_of(known[i].field), field)))
			return known[i].note;
	return NULL;
}
